// How alike groups are: similar ones stand beside each other.

import type { Place } from "./cell_cursor";
import { makeLinear } from "./colours";
import { addElement } from "./controls";
import type { Similarity as SimilarityData } from "./data";
import { formatShare, groupDigits } from "./format";
import { Legend } from "./legend";
import type { Page, View } from "./page";
import { makeGrid, type Grid } from "./pool";
import { SquareMap } from "./square_map";
import type { State } from "./state";

export class Similarity implements View {
  readonly follows = ["group"] as const;
  private readonly map: SquareMap;
  private readonly legend: Legend;
  private readonly readout: HTMLElement;
  private readonly grid: Grid;
  private readonly names: string[];

  constructor(
    private readonly page: Page,
    private readonly data: SimilarityData,
    readonly box: HTMLElement,
  ) {
    const { size } = data;
    this.grid = makeGrid(size, size, Float32Array.from(page.columns.read(data.values)));
    this.names = data.groups.map((group) => page.report.groups[group]?.name ?? `group ${group}`);
    const square = addElement(box, "div", "square");
    this.map = new SquareMap(
      square,
      "Similarity of groups",
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
    const scale = makeLinear(0, 1);
    const marked = this.data.groups.flatMap((group, row) => (group === state.group ? [row] : []));
    this.map.draw({ grid: this.grid, scale, names: this.names, marked }, this.box);
    const { of } = this.data;
    const part = of === undefined ? "" : `; these are the largest of ${groupDigits(of)} groups`;
    this.legend.update(scale, "", "Similarity of two groups, 1: they do the same" + part, "");
  }

  private describe(place: Place | undefined): void {
    if (place === undefined) {
      this.readout.textContent = "Point at a cell, or go through them with the arrow keys, to read it; a click chooses the group.";
      return;
    }
    const value = this.grid.values[place.row * this.data.size + place.column];
    this.readout.textContent = `${this.names[place.row]} and ${this.names[place.column]}: ${formatShare(value)} similar`;
  }

  private chooseGroupOf(place: Place): void {
    const group = this.data.groups[place.row];
    this.page.store.change({ group: group === this.page.store.state.group ? -1 : group });
  }
}
