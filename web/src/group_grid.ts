// Processes on the grid of ranks, each place in the colour of the group of its first process. The
// last axis goes to the right, the one before it down, and for each place on all others there is a
// block of its own. The table of groups is the key.

import { fitCanvas, paintCells, roomIn } from "./canvas";
import { followCursor, type Place } from "./cell_cursor";
import type { ColourScale } from "./colours";
import type { Numbers } from "./columns";
import { addElement } from "./controls";
import type { Grid as GridData } from "./data";
import type { Page, View } from "./page";
import { makeGrid, wholeGrid } from "./pool";
import type { State } from "./state";

const largestPlace = 26; // CSS pixels
const mostHeight = 440;
const leastHeight = 14;
const leastSeparated = 8; // places that lines part
const noPlace = 0xffffffff;
const faint = 0x30; // of 255, where another group is chosen

export class GroupGrid implements View {
  readonly follows = ["group"] as const;
  private readonly canvas: HTMLCanvasElement;
  private readonly readout: HTMLElement;
  private readonly firstAt: Int32Array; // by place: a process, -1: none
  private readonly placeOf: Numbers | undefined;
  private readonly clusterOf: Numbers | undefined;
  private readonly rarity: number[]; // by group: 0 for the one with most members
  private readonly byRarity: number[];
  private readonly columns: number; // of a block
  private readonly rows: number;
  private inLine = 1; // blocks

  constructor(
    private readonly page: Page,
    private readonly data: GridData,
    readonly box: HTMLElement,
  ) {
    const { sizes } = data;
    this.columns = sizes[sizes.length - 1];
    this.rows = sizes[sizes.length - 2] ?? 1;
    this.placeOf = data.places && page.columns.read(data.places);
    this.clusterOf = data.clusterOf && page.columns.read(data.clusterOf);
    this.firstAt = new Int32Array(sizes.reduce((all, size) => all * size, 1)).fill(-1);
    for (let process = page.groupOf.length - 1; process >= 0; --process) {
      const place = this.findPlace(process);
      if (place !== noPlace) this.firstAt[place] = process;
    }
    const { groups } = page.report;
    this.byRarity = groups.map((_, k) => k).sort((a, b) => groups[b].members - groups[a].members);
    this.rarity = [];
    this.byRarity.forEach((group, k) => (this.rarity[group] = k));
    addElement(box, "h3", "", "Groups on the grid of ranks");
    this.canvas = addElement(addElement(box, "div", "map"), "canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `Groups on a grid of ${sizes.join(" × ")}; arrow keys go through its places`);
    this.readout = addElement(box, "p", "readout");
    this.readout.setAttribute("aria-live", "polite");
    followCursor(this.canvas, {
      size: () => this.countCells(),
      move: (place) => this.describe(place && this.numberAt(place)),
      choose: (place) => this.choose(this.numberAt(place)),
    });
    for (const row of document.querySelectorAll<HTMLTableRowElement>("tr[data-group]")) {
      const hue = document.createElement("span");
      hue.className = "hue";
      hue.style.background = data.colours[Number(row.dataset["group"])] ?? "";
      row.cells[0]?.prepend(hue);
    }
    this.describe(undefined);
  }

  update(state: State): void {
    const room = roomIn(this.box);
    const side = this.arrange(room);
    const { columns, rows } = this.countCells();
    const cells = new Float32Array(columns * rows).fill(NaN);
    for (let row = 0; row < rows; ++row) {
      for (let column = 0; column < columns; ++column) {
        const process = this.firstAt[this.numberAt({ column, row }) ?? -1] ?? -1;
        if (process >= 0) cells[row * columns + column] = this.rarity[this.page.groupOf[process]];
      }
    }
    fitCanvas(this.canvas, Math.min(room, Math.max(leastHeight, columns * side)), Math.max(leastHeight, rows * side));
    const grid = makeGrid(rows, columns, cells);
    paintCells(this.canvas, grid, wholeGrid(grid), "largest", this.makeScale(state.group));
    if (side >= leastSeparated) this.separate(columns, rows);
  }

  // As many blocks in a line as make places the largest, in CSS pixels.
  private arrange(room: number): number {
    const blocks = this.firstAt.length / (this.columns * this.rows);
    let [best, side] = [1, 0];
    for (this.inLine = 1; this.inLine <= blocks; ++this.inLine) {
      const { columns, rows } = this.countCells();
      const own = Math.min(largestPlace, room / columns, mostHeight / rows);
      if (own >= side) [best, side] = [this.inLine, own];
    }
    this.inLine = best;
    return side;
  }

  private separate(columns: number, rows: number): void {
    const { canvas } = this;
    const context = canvas.getContext("2d");
    for (let k = 1; k < columns; ++k) context?.clearRect(Math.round((k * canvas.width) / columns), 0, 1, canvas.height);
    for (let k = 1; k < rows; ++k) context?.clearRect(0, Math.round((k * canvas.height) / rows), canvas.width, 1);
  }

  // Where a pixel has several places, it is of the group with fewest members.
  private makeScale(chosen: number): ColourScale {
    const packed = this.byRarity.map((group) => {
      const rgb = parseInt(this.data.colours[group].slice(1), 16);
      const alpha = chosen in this.data.colours && chosen !== group ? faint : 0xff;
      return ((alpha << 24) | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
    });
    const colour = (value: number) => packed[value] ?? 0;
    return { equalised: false, low: 0, high: packed.length - 1, colour, valueAt: () => NaN };
  }

  private findPlace(process: number): number {
    return this.placeOf?.[process] ?? process;
  }

  // Between blocks there is room for one place.
  private countCells(): { columns: number; rows: number } {
    const lines = Math.ceil(this.firstAt.length / (this.columns * this.rows) / this.inLine);
    return { columns: this.inLine * (this.columns + 1) - 1, rows: lines * (this.rows + 1) - 1 };
  }

  // Nothing between blocks.
  private numberAt({ column, row }: Place): number | undefined {
    const block = Math.floor(row / (this.rows + 1)) * this.inLine + Math.floor(column / (this.columns + 1));
    const [x, y] = [column % (this.columns + 1), row % (this.rows + 1)];
    const number = (block * this.rows + y) * this.columns + x;
    return x < this.columns && y < this.rows && number < this.firstAt.length ? number : undefined;
  }

  private describe(number: number | undefined): void {
    const { sizes, clusters } = this.data;
    if (number === undefined) {
      this.readout.textContent = "Point at a place, or go through them with the arrow keys, to read who is there; a click chooses the group.";
      return;
    }
    const alike = new Map<string, number[]>(); // by group and cluster
    for (let process = 0; process < this.page.groupOf.length; ++process) {
      if (this.findPlace(process) !== number) continue;
      const cluster = clusters?.[this.clusterOf?.[process] ?? 0] ?? "";
      const what = [this.page.report.groups[this.page.groupOf[process]].name, cluster].filter((text) => text !== "").join("; ");
      alike.set(what, [...(alike.get(what) ?? []), process]);
    }
    const who = [...alike].map(([what, processes]) => `${this.page.names.list(processes)}: ${what}`).join("; ");
    const place: number[] = [];
    for (let axis = sizes.length - 1, rest = number; axis >= 0; rest = Math.floor(rest / sizes[axis]), --axis) {
      place.unshift(rest % sizes[axis]);
    }
    this.readout.textContent = `(${place.join(", ")}) ${who === "" ? "no process" : who}`;
  }

  private choose(number: number | undefined): void {
    const process = this.firstAt[number ?? -1] ?? -1;
    if (process < 0) return;
    const { groupOf, store } = this.page;
    store.change({ group: groupOf[process] === store.state.group ? -1 : groupOf[process] });
  }
}
