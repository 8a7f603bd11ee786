// Cells to pixels of the device. A browser that scales a picture leaves out lines of it, and with
// them the one slow process; here each cell takes part in a pixel.

export const topLevel = 63;
export const noLevel = 255;

export interface Grid {
  columns: number;
  rows: number;
  // Row by row: values, NaN where there is none, or levels from 0 to topLevel between low and high,
  // noLevel where there is none. Most maps have levels, which are never made into values as a whole:
  // that takes longer than to draw them.
  values: Float32Array | Uint8Array;
  low: number;
  high: number;
  columnWeights?: Float32Array; // what a column or row stands for in a mean; absent: all the same
  rowWeights?: Float32Array;
}

export interface Region {
  firstColumn: number;
  columns: number;
  firstRow: number;
  rows: number;
}

// All cells of values.
export function makeGrid(rows: number, columns: number, values: Float32Array): Grid {
  return { rows, columns, values, low: 0, high: 0 };
}

// The value of a cell; NaN where there is none.
export function readCell(grid: Grid, row: number, column: number): number {
  const value = grid.values[row * grid.columns + column];
  if (grid.values instanceof Float32Array) return value;
  return value === noLevel ? NaN : valueOfLevel(grid, value);
}

export function valueOfLevel({ low, high }: { low: number; high: number }, level: number): number {
  return low + (level / topLevel) * (high - low);
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
  const { values } = grid;
  const areLevels = values instanceof Uint8Array;
  const next = new Uint8Array(region.columns); // by column the level after the largest one; 0: none
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
      if (areLevels) {
        findLargestLevels(values, grid.columns, region, first, end, next);
        for (let k = 0; k < next.length; ++k) sums[k] = next[k] === 0 ? NaN : valueOfLevel(grid, next[k] - 1);
      } else {
        findLargest(values, grid.columns, region, first, end, sums);
      }
      for (let x = 0; x < width; ++x) {
        row[x] = largestOf(sums, bounds[x], Math.max(bounds[x] + 1, bounds[x + 1]));
      }
    } else {
      sums.fill(0);
      weights.fill(0);
      for (let r = first; r < end; ++r) {
        const at = (region.firstRow + r) * grid.columns + region.firstColumn;
        const weight = grid.rowWeights?.[region.firstRow + r] ?? 1;
        if (areLevels) addLevels(values, at, weight, sums, weights);
        else addValues(values, at, weight, sums, weights);
      }
      weighColumns(grid, region, sums, weights);
      for (let x = 0; x < width; ++x) {
        const mean = meanOf(sums, weights, bounds[x], Math.max(bounds[x] + 1, bounds[x + 1]));
        row[x] = areLevels ? valueOfLevel(grid, mean) : mean;
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
function findLargest(
  values: Float32Array,
  columns: number,
  region: Region,
  first: number,
  end: number,
  into: Float32Array,
): void {
  into.fill(NaN);
  for (let row = first; row < end; ++row) {
    const at = (region.firstRow + row) * columns + region.firstColumn;
    for (let column = 0; column < into.length; ++column) {
      const value = values[at + column];
      if (value > into[column] || into[column] !== into[column]) into[column] = value;
    }
  }
}

// After the level that stands for no value comes 0.
function findLargestLevels(
  levels: Uint8Array,
  columns: number,
  region: Region,
  first: number,
  end: number,
  into: Uint8Array,
): void {
  into.fill(0);
  for (let row = first; row < end; ++row) {
    const at = (region.firstRow + row) * columns + region.firstColumn;
    for (let column = 0; column < into.length; ++column) {
      const next = (levels[at + column] + 1) & 0xff;
      if (next > into[column]) into[column] = next;
    }
  }
}

// One row of cells from `at` on.
function addValues(
  values: Float32Array,
  at: number,
  weight: number,
  sums: Float32Array,
  weights: Float32Array,
): void {
  for (let column = 0; column < sums.length; ++column) {
    const value = values[at + column];
    if (value !== value) continue; // not a number
    sums[column] += weight * value;
    weights[column] += weight;
  }
}

function addLevels(
  levels: Uint8Array,
  at: number,
  weight: number,
  sums: Float32Array,
  weights: Float32Array,
): void {
  for (let column = 0; column < sums.length; ++column) {
    const level = levels[at + column];
    if (level === noLevel) continue;
    sums[column] += weight * level;
    weights[column] += weight;
  }
}

function weighColumns(grid: Grid, region: Region, sums: Float32Array, weights: Float32Array): void {
  const { columnWeights } = grid;
  if (columnWeights === undefined) return;
  for (let column = 0; column < sums.length; ++column) {
    const weight = columnWeights[region.firstColumn + column];
    sums[column] *= weight;
    weights[column] *= weight;
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
