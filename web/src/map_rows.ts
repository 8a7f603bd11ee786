// The map of one metric of one loop.

import type { Columns, Numbers } from "./columns";
import type { Cells, Levels, MetricMap } from "./data";
import { noLevel, topLevel, valueOfLevel, type Grid } from "./pool";

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

  // The rows that have any of some processes.
  rowsWith(isWanted: (process: number) => boolean): number[] {
    const found: number[] = [];
    for (let row = 0, place = 0; row < this.rows; ++row) {
      const end = row + 1 < this.rows ? this.first[row + 1] : this.order.length;
      let has = false;
      for (; place < end; ++place) has ||= isWanted(this.order[place]);
      if (has) found.push(row);
    }
    return found;
  }

  // Where a cell holds one value, its mean is not stored a second time.
  grid(pool: "largest" | "average"): Grid {
    return this.find(this.range(pool));
  }

  // What the colours span.
  range(pool: "largest" | "average"): Levels {
    return this.cells[pool];
  }

  // What the cells hold, ascending, and how often.
  countValues(pool: "largest" | "average"): { values: Float32Array; counts: Uint32Array } {
    const levels = this.range(pool);
    const cells = this.columns.read(levels.cells);
    if (cells instanceof Float32Array) {
      const values = cells.filter((value) => !Number.isNaN(value)).sort();
      return { values, counts: new Uint32Array(values.length).fill(1) };
    }
    const counts = new Uint32Array(noLevel + 1);
    for (let k = 0; k < cells.length; ++k) ++counts[cells[k]];
    const values = Float32Array.from({ length: topLevel + 1 }, (_, level) => valueOfLevel(levels, level));
    return { values, counts: counts.slice(0, topLevel + 1) };
  }

  private find(levels: Levels): Grid {
    const known = this.grids.get(levels);
    if (known !== undefined) return known;
    const { columns, perColumn } = this.map;
    const grid: Grid = {
      columns,
      rows: this.rows,
      values: this.columns.read(levels.cells) as Float32Array | Uint8Array,
      low: levels.low,
      high: levels.high,
      columnWeights: Float32Array.from({ length: columns }, (_, column) =>
        Math.min(perColumn, this.iterations - column * perColumn),
      ),
      rowWeights: Float32Array.from({ length: this.rows }, (_, row) => this.processesOf(row).length),
    };
    this.grids.set(levels, grid);
    return grid;
  }
}
