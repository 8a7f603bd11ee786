// Communication: rows send, columns receive.

import type { Place } from "./cell_cursor";
import { makeEqualised, makeLinear } from "./colours";
import { addChoice, addElement, addSelect } from "./controls";
import type { Matrix as MatrixData } from "./data";
import { formatValue } from "./format";
import { Legend } from "./legend";
import type { Page, View } from "./page";
import { makeGrid } from "./pool";
import { SquareMap } from "./square_map";
import type { State } from "./state";

export class Matrix implements View {
  readonly follows = ["matrix", "scale", "group"] as const;
  private readonly map: SquareMap;
  private readonly legend: Legend;
  private readonly readout: HTMLElement;
  private readonly names: string[];
  private readonly groupOfRow: ArrayLike<number> | undefined;
  private readonly mark: ((state: State, metric: string) => void)[] = [];

  constructor(
    private readonly page: Page,
    private readonly data: MatrixData,
    readonly box: HTMLElement,
  ) {
    this.names = data.rowNames;
    this.groupOfRow = data.groupOfRow && page.columns.read(data.groupOfRow);
    this.addControls(addElement(box, "div", "controls"));
    const square = addElement(box, "div", "square");
    this.map = new SquareMap(
      square,
      "Matrix of senders and receivers",
      (place) => this.describe(place),
      (place) => this.chooseGroupOf(place),
    );
    const side = addElement(square, "div", "side");
    this.readout = addElement(side, "p", "readout");
    this.readout.setAttribute("aria-live", "polite");
    this.legend = new Legend(side);
    this.describe(undefined);
  }

  update(state: State): void {
    const metric = this.find(state);
    for (const mark of this.mark) mark(state, metric.metric);
    // Pairs without any are blank, so that those with few are seen.
    const values = Float32Array.from(this.page.columns.read(metric.values), (value) => (value > 0 ? value : NaN));
    const highest = values.reduce((most, value) => (value > most ? value : most), 0);
    const scale = state.scale === "equalised" ? makeEqualised(values.filter((value) => value > 0).sort()) : makeLinear(0, highest);
    const { size } = this.data;
    this.map.draw({ grid: makeGrid(size, size, values), scale, names: this.names, marked: this.rowsOf(state.group) }, this.box);
    this.legend.update(scale, metric.unit, `${metric.label} from row to column`, "blank: none");
  }

  private addControls(parent: HTMLElement): void {
    const options = this.data.metrics.map(({ metric, label }) => ({ value: metric, label }));
    const change = (part: Partial<State>) => this.page.store.change({ view: "matrix", ...part });
    const setMetric = addSelect(parent, "Metric", options, (matrix) => change({ matrix }));
    const setScale = addChoice(
      parent,
      "Colours",
      [
        { value: "linear", label: "linear" },
        { value: "equalised", label: "equalised" },
      ],
      (scale) => change({ scale }),
    );
    this.mark.push((state, metric) => {
      setMetric(metric);
      setScale(state.scale);
    });
  }

  private find(state: State): MatrixData["metrics"][number] {
    const { metrics } = this.data;
    return metrics.find(({ metric }) => metric === state.matrix) ?? metrics[0];
  }

  private rowsOf(group: number): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.data.size; ++row) {
      if (this.groupOfRow?.[row] === group) rows.push(row);
    }
    return rows;
  }

  private describe(place: Place | undefined): void {
    if (place === undefined) {
      this.readout.textContent = "Point at a cell, or go through them with the arrow keys, to read it.";
      return;
    }
    const metric = this.find(this.page.store.state);
    const value = this.page.columns.read(metric.values)[place.row * this.data.size + place.column];
    const amount = value > 0 ? formatValue(value, metric.unit) : value === 0 ? "none" : "not known";
    this.readout.textContent = `${this.names[place.row]} to ${this.names[place.column]}: ${metric.label} ${amount}`;
  }

  private chooseGroupOf(place: Place): void {
    const group = this.groupOfRow?.[place.row];
    if (group === undefined) return;
    this.page.store.change({ group: group === this.page.store.state.group ? -1 : group });
  }
}
