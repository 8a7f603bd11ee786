// The map of one metric of one loop, with values in place of levels.

import type { Columns, Numbers } from "./columns";
import type { Cells, Levels, MetricMap } from "./data";
import type { Grid } from "./pool";

const topLevel = 63;
const noValue = 255;

export class MapRows {
  readonly rows: number;
  private readonly first: Numbers;
  private readonly order: Numbers;
  private readonly grids = new Map<Levels, Grid>();

  constructor(
    private readonly columns: Columns,
    private readonly map: MetricMap,
    private readonly iterations: number,
    private readonly cells: Cells,
  ) {
    this.rows = cells.rows;
    this.first = columns.read(cells.firstOfRow);
    this.order = columns.read(cells.order);
  }

  // The processes of a row, in order.
  processesOf(row: number): Numbers {
    const end = row + 1 < this.rows ? this.first[row + 1] : this.order.length;
    return this.order.subarray(this.first[row], end);
  }

  // Where a cell holds one value, its mean is not stored a second time.
  grid(pool: "largest" | "average"): Grid {
    return this.decode(this.range(pool));
  }

  // What the colours span.
  range(pool: "largest" | "average"): Levels {
    return this.cells[pool];
  }

  // What the cells hold, ascending, and how often.
  countValues(pool: "largest" | "average"): { values: Float32Array; counts: Uint32Array } {
    const levels = this.range(pool);
    const cells = this.columns.read(levels.cells);
    const counts = new Uint32Array(noValue + 1);
    for (let k = 0; k < cells.length; ++k) ++counts[cells[k]];
    return { values: listValues(levels).slice(0, topLevel + 1), counts: counts.slice(0, topLevel + 1) };
  }

  private decode(levels: Levels): Grid {
    const known = this.grids.get(levels);
    if (known !== undefined) return known;
    const values = listValues(levels);
    const { columns, perColumn } = this.map;
    const cells = this.columns.read(levels.cells);
    const decoded = new Float32Array(cells.length);
    for (let k = 0; k < cells.length; ++k) decoded[k] = values[cells[k]];
    const grid: Grid = {
      columns,
      rows: this.rows,
      values: decoded,
      columnWeights: Float32Array.from({ length: columns }, (_, column) =>
        Math.min(perColumn, this.iterations - column * perColumn),
      ),
      rowWeights: Float32Array.from({ length: this.rows }, (_, row) => this.processesOf(row).length),
    };
    this.grids.set(levels, grid);
    return grid;
  }
}

// By level.
function listValues({ low, high }: Levels): Float32Array {
  return Float32Array.from({ length: noValue + 1 }, (_, level) =>
    level > topLevel ? NaN : low + (level / topLevel) * (high - low),
  );
}
