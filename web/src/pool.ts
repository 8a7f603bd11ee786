// Cells to pixels of the device. A browser that scales a picture leaves out lines of it, and with
// them the one slow process; here each cell takes part in a pixel.

export interface Grid {
  columns: number;
  rows: number;
  values: Float32Array; // row by row; NaN where there is no value
  columnWeights?: Float32Array; // what a column or row stands for in a mean; absent: all the same
  rowWeights?: Float32Array;
}

export interface Region {
  firstColumn: number;
  columns: number;
  firstRow: number;
  rows: number;
}

export function wholeGrid(grid: Grid): Region {
  return { firstColumn: 0, columns: grid.columns, firstRow: 0, rows: grid.rows };
}

// width × height values, row by row: where cells are more than pixels, the largest or the weighted
// mean of those in a pixel, each cell in exactly one; where they are fewer, each fills some pixels.
export function poolCells(
  grid: Grid,
  region: Region,
  width: number,
  height: number,
  how: "largest" | "average",
): Float32Array {
  const pixels = new Float32Array(width * height);
  const sums = new Float32Array(region.columns);
  const weights = new Float32Array(region.columns);
  // Where the cells of each pixel of a row begin.
  const bounds = Uint32Array.from({ length: width + 1 }, (_, x) => Math.floor((x * region.columns) / width));
  let drawn = -1; // first row of cells in the row of pixels above
  for (let y = 0; y < height; ++y) {
    const [first, end] = cellsOfPixel(y, height, region.rows);
    const row = pixels.subarray(y * width, (y + 1) * width);
    if (first === drawn) {
      row.set(pixels.subarray((y - 1) * width, y * width));
      continue;
    }
    drawn = first;
    if (how === "largest") {
      findLargest(grid, region, first, end, sums);
      for (let x = 0; x < width; ++x) {
        row[x] = largestOf(sums, bounds[x], Math.max(bounds[x] + 1, bounds[x + 1]));
      }
    } else {
      addRows(grid, region, first, end, sums, weights);
      for (let x = 0; x < width; ++x) {
        row[x] = meanOf(sums, weights, bounds[x], Math.max(bounds[x] + 1, bounds[x + 1]));
      }
    }
  }
  return pixels;
}

// The cells of one of `pixels` pixels: at least one, and none in two pixels where cells are more.
export function cellsOfPixel(pixel: number, pixels: number, cells: number): [number, number] {
  const first = Math.floor((pixel * cells) / pixels);
  return [first, Math.max(first + 1, Math.floor(((pixel + 1) * cells) / pixels))];
}

// A value that is not a number is unequal to itself.
function findLargest(grid: Grid, region: Region, first: number, end: number, into: Float32Array): void {
  const { values } = grid;
  const count = region.columns;
  into.fill(NaN);
  for (let row = first; row < end; ++row) {
    const at = (region.firstRow + row) * grid.columns + region.firstColumn;
    for (let column = 0; column < count; ++column) {
      const value = values[at + column];
      if (value > into[column] || into[column] !== into[column]) into[column] = value;
    }
  }
}

function addRows(
  grid: Grid,
  region: Region,
  first: number,
  end: number,
  sums: Float32Array,
  weights: Float32Array,
): void {
  const { values, columnWeights, rowWeights } = grid;
  const count = region.columns;
  sums.fill(0);
  weights.fill(0);
  for (let row = first; row < end; ++row) {
    const at = (region.firstRow + row) * grid.columns + region.firstColumn;
    const ofRow = rowWeights === undefined ? 1 : rowWeights[region.firstRow + row];
    for (let column = 0; column < count; ++column) {
      const value = values[at + column];
      if (value !== value) continue; // not a number
      const weight = columnWeights === undefined ? ofRow : ofRow * columnWeights[region.firstColumn + column];
      sums[column] += weight * value;
      weights[column] += weight;
    }
  }
}

function largestOf(values: Float32Array, from: number, to: number): number {
  let largest = NaN;
  for (let k = from; k < to; ++k) {
    if (values[k] > largest || largest !== largest) largest = values[k];
  }
  return largest;
}

function meanOf(sums: Float32Array, weights: Float32Array, from: number, to: number): number {
  let sum = 0;
  let weight = 0;
  for (let k = from; k < to; ++k) {
    sum += sums[k];
    weight += weights[k];
  }
  return weight > 0 ? sum / weight : NaN;
}
