// Iterations: a graph over all processes, and the map iteration × process.

import { roomIn } from "./canvas";
import type { Place } from "./cell_cursor";
import { makeEqualised, makeLinear, type ColourScale } from "./colours";
import { addButton, addChoice, addElement, addSelect } from "./controls";
import { findIteration, numberOf, type LoopMaps, type MetricMap } from "./data";
import { formatValue, groupDigits } from "./format";
import { IterationGraph, type Curves, type Frame } from "./iteration_graph";
import { IterationMap, type MapDrawing, type RowLabel, type Rows } from "./iteration_map";
import { findWindow } from "./iteration_window";
import { Legend } from "./legend";
import { MapRows } from "./map_rows";
import { shorten } from "./names";
import type { Page, View } from "./page";
import { cellsOfPixel, poolCells, readCell } from "./pool";
import type { State } from "./state";

const mapHeight = 300;
const groupHeight = 84;
const mostLabels = 20; // of rows of the map; what has no room is left out
const invitation = "Point at the map, or go through it with the arrow keys, to read a value.";

export class Iterations implements View {
  readonly follows = ["loop", "metric", "rows", "pool", "scale", "from", "to", "group"] as const;
  private readonly graph: IterationGraph;
  private readonly map: IterationMap;
  private readonly groupMap: IterationMap;
  private readonly legend: Legend;
  private readonly curvesText: HTMLElement;
  private readonly readout: HTMLElement;
  private readonly groupTitle: HTMLElement;
  private readonly mark: ((state: State, loop: LoopMaps, map: MetricMap) => void)[] = [];
  private readonly decoded = new Map<MetricMap, { byRank: MapRows; byGroup: MapRows }>();
  private readonly scales = new Map<string, ColourScale>();
  private drawnGraph = ""; // by what it was drawn

  constructor(
    private readonly page: Page,
    readonly box: HTMLElement,
  ) {
    const controls = addElement(box, "div", "controls");
    this.addControls(controls);
    this.curvesText = addElement(box, "p", "key");
    this.graph = new IterationGraph(box, (from, to) => this.change({ from, to }));
    const hover = (map: MapDrawing, place: Place | undefined) => this.describe(map, place);
    const choose = (map: MapDrawing, place: Place) => this.chooseGroupOf(map, place);
    this.map = new IterationMap(box, "Map of iterations and processes", hover, choose);
    this.groupTitle = addElement(box, "p", "key");
    this.groupMap = new IterationMap(box, "Map of the chosen group", hover, choose);
    this.readout = addElement(box, "p", "readout");
    this.readout.setAttribute("aria-live", "polite");
    this.legend = new Legend(box);
    this.readout.textContent = invitation;
  }

  update(state: State): void {
    const { loop, map } = this.find(state);
    for (const mark of this.mark) mark(state, loop, map);
    for (const figure of document.querySelectorAll<HTMLElement>("figure[data-kinds]")) {
      figure.hidden = this.page.report.loops[Number(figure.dataset["kinds"])] !== loop;
    }
    const room = roomIn(this.box);
    const left = room < 600 ? 76 : 132;
    const frame: Frame = { left, right: 14, width: room - left - 14 };
    const rows = this.decode(loop, map);
    const window = findWindow(state, map.perColumn, map.columns);
    const group = this.page.report.groups[state.group];
    const ofGroup = group && this.rowsOfGroup(rows.byGroup, state.group);
    const isAlone = ofGroup !== undefined && !map.byGroup.groupsShareRows;

    // Of the choices of the map alone the graph shows nothing.
    const ofGraph = [loop.number, map.metric, state.from, state.to, isAlone && state.group, room].join();
    if (ofGraph !== this.drawnGraph) {
      this.drawnGraph = ofGraph;
      this.graph.draw(
        { ...this.curves(map), ...(isAlone && { group: this.groupCurves(rows.byGroup, ofGroup) }) },
        map.perColumn,
        window,
        loop,
        map.unit,
        frame,
      );
      this.writeKey(loop, map, isAlone ? group.name : undefined);
    }

    const shown = state.rows === "group" ? rows.byGroup : rows.byRank;
    const scale = this.scaleOf(map, shown, state);
    const drawing = { window, pool: state.pool, scale, frame };
    this.map.draw({
      ...drawing,
      rows: shown,
      shown: { first: 0, count: shown.rows },
      labels: state.rows === "group" ? this.labelGroups(shown) : this.labelRanks(shown),
      marked: group ? this.rowsWith(shown, state.group) : [],
      height: fitRows(shown.rows, mapHeight),
    });
    if (ofGroup) {
      this.groupTitle.textContent = isAlone
        ? `The rows of ${group.name} alone:`
        : `The rows that ${group.name} shares with other groups:`;
      this.groupMap.draw({
        ...drawing,
        rows: rows.byGroup,
        shown: ofGroup,
        labels: this.labelRanks(rows.byGroup, ofGroup),
        marked: [],
        height: fitRows(ofGroup.count, groupHeight),
      });
    } else {
      this.groupMap.hide();
    }
    this.groupTitle.hidden = ofGroup === undefined;
    this.writeLegend(map, state, scale);
  }

  private addControls(parent: HTMLElement): void {
    const { loops } = this.page.report;
    const options = loops.flatMap((loop, k) => {
      const label = `${shorten(loop.name, 60)} (${groupDigits(loop.iterations)} iterations)`;
      return loop.maps.length > 0 ? [{ value: String(k), label }] : [];
    });
    if (options.length > 1) {
      const set = addSelect(parent, "Loop", options, (value) => this.change({ loop: Number(value), from: 0, to: 0 }));
      this.mark.push((_, loop) => set(String(loops.indexOf(loop))));
    }
    const metrics = [...new Map(loops.flatMap((loop) => loop.maps.map((map) => [map.metric, map.label] as const)))];
    const setMetric = addSelect(
      parent,
      "Metric",
      metrics.map(([value, label]) => ({ value, label })),
      (metric) => this.change({ metric }),
    );
    this.mark.push((_, __, map) => setMetric(map.metric));
    const setRows = addChoice(
      parent,
      "Rows",
      [
        { value: "rank", label: this.page.report.rank ? "by rank" : "by name" },
        { value: "group", label: "by group" },
      ],
      (rows) => this.change({ rows }),
    );
    const setPool = addChoice(
      parent,
      "Each cell",
      [
        { value: "largest", label: "largest" },
        { value: "average", label: "mean" },
      ],
      (pool) => this.change({ pool }),
    );
    const setScale = addChoice(
      parent,
      "Colours",
      [
        { value: "linear", label: "linear" },
        { value: "equalised", label: "equalised" },
      ],
      (scale) => this.change({ scale }),
    );
    this.mark.push((state) => {
      setRows(state.rows);
      setPool(state.pool);
      setScale(state.scale);
    });
    this.addRange(parent);
  }

  private addRange(parent: HTMLElement): void {
    const box = addElement(parent, "fieldset", "choice range");
    addElement(box, "legend", "", "Iterations");
    const [first, last] = ["first", "last"].map((name) => {
      const input = addElement(box, "input");
      input.type = "number";
      input.min = "0";
      input.setAttribute("aria-label", `${name} iteration`);
      input.addEventListener("change", () =>
        this.change({
          from: this.iterationOf(first),
          to: Math.max(this.iterationOf(first), this.iterationOf(last)) + 1,
        }),
      );
      return input;
    });
    const all = addButton(box, "all", () => this.change({ from: 0, to: 0 }));
    this.mark.push((state, loop, map) => {
      const { firstColumn, columns } = findWindow(state, map.perColumn, map.columns);
      const end = Math.min(loop.iterations, (firstColumn + columns) * map.perColumn);
      first.value = String(numberOf(loop, firstColumn * map.perColumn));
      last.value = String(numberOf(loop, end - 1));
      for (const input of [first, last]) input.max = String(numberOf(loop, loop.iterations - 1));
      all.disabled = columns === map.columns;
    });
  }

  private iterationOf(input: HTMLInputElement): number {
    return findIteration(this.find(this.page.store.state).loop, Math.round(Number(input.value)));
  }

  private change(part: Partial<State>): void {
    this.page.store.change({ view: "iterations", ...part });
  }

  private find(state: State): { loop: LoopMaps; map: MetricMap } {
    const { loops } = this.page.report;
    const drawn = loops.filter((of) => of.maps.length > 0);
    const loop = drawn.find((of) => of === loops[state.loop]) ?? drawn[0];
    return { loop, map: loop.maps.find((map) => map.metric === state.metric) ?? loop.maps[0] };
  }

  private decode(loop: LoopMaps, map: MetricMap): { byRank: MapRows; byGroup: MapRows } {
    let rows = this.decoded.get(map);
    if (rows === undefined) {
      const make = (cells: MetricMap["byRank"]) => new MapRows(this.page.columns, map, loop.iterations, cells);
      rows = { byRank: make(map.byRank), byGroup: make(map.byGroup) };
      this.decoded.set(map, rows);
    }
    return rows;
  }

  private curves(map: MetricMap): Curves {
    const { columns } = this.page;
    return {
      minimum: columns.read(map.minimum),
      mean: columns.read(map.mean),
      maximum: columns.read(map.maximum),
    };
  }

  // What its rows say; of large maps in steps of one colour.
  private groupCurves(rows: MapRows, { first, count }: Rows): NonNullable<Curves["group"]> {
    const poolBy = (pool: "largest" | "average") => {
      const grid = rows.grid(pool);
      const region = { firstColumn: 0, columns: grid.columns, firstRow: first, rows: count };
      return poolCells(grid, region, grid.columns, 1, pool);
    };
    return { largest: poolBy("largest"), average: poolBy("average") };
  }

  // Equalising counts all cells, so it is done once for each map.
  private scaleOf(map: MetricMap, rows: MapRows, state: State): ColourScale {
    const { low, high } = rows.range(state.pool);
    if (state.scale === "linear") return makeLinear(beginColours(low, high), high);
    const { loop } = this.find(state);
    const key = [loop.number, map.metric, state.rows, state.pool].join();
    let scale = this.scales.get(key);
    if (scale === undefined) {
      const { values, counts } = rows.countValues(state.pool);
      scale = makeEqualised(values, counts);
      this.scales.set(key, scale);
    }
    return scale;
  }

  private rowsOfGroup(rows: MapRows, group: number): Rows | undefined {
    const found = this.rowsWith(rows, group);
    return found.length === 0 ? undefined : { first: found[0], count: found.length };
  }

  private rowsWith(rows: MapRows, group: number): number[] {
    return rows.rowsWith((process) => this.page.groupOf[process] === group);
  }

  private labelGroups(rows: MapRows): RowLabel[] {
    const labels: (RowLabel & { group: number })[] = [];
    for (let row = 0; row < rows.rows; ++row) {
      const group = this.page.groupOf[rows.processesOf(row)[0]];
      const last = labels[labels.length - 1];
      if (last?.group === group) ++last.count;
      else labels.push({ group, first: row, count: 1, text: this.page.report.groups[group]?.name ?? "" });
    }
    return labels;
  }

  private labelRanks(rows: MapRows, shown: Rows = { first: 0, count: rows.rows }): RowLabel[] {
    const most = Math.min(shown.count, mostLabels);
    return Array.from({ length: most }, (_, k) => {
      const row = shown.first + cellsOfPixel(k, most, shown.count)[0];
      return { first: row, count: 1, text: this.page.names.name(rows.processesOf(row)[0]) };
    });
  }

  private writeKey(loop: LoopMaps, map: MetricMap, group: string | undefined): void {
    const key = this.curvesText;
    key.textContent = `${capitalise(map.label)} of a process in an iteration: `;
    addElement(key, "span", "swatch mean", "mean");
    key.append(" between ");
    addElement(key, "span", "swatch range", "minimum and maximum");
    if (group !== undefined) {
      key.append("; ");
      addElement(key, "span", "swatch group", `mean and largest of ${group}`);
    }
    const kept = loop.kept.length;
    if (kept > 0) {
      key.append("; ");
      addElement(key, "span", "swatch kept", `${groupDigits(kept)} of ${groupDigits(loop.iterations)} iterations are kept`);
    }
    if (map.perColumn > 1) key.append(`; a column is of ${map.perColumn} iterations`);
    if (map.averaged) {
      key.append(`; only means of ${groupDigits(map.averaged)} iterations are known, and the largest is that of such means`);
    }
  }

  private writeLegend(map: MetricMap, state: State, scale: ColourScale): void {
    const pool = state.pool === "largest" ? "largest" : "mean";
    const isShared = state.rows === "group" && map.byGroup.groupsShareRows;
    const rows = isShared ? "; a row may be of several groups" : "";
    const { low } = (state.rows === "group" ? map.byGroup : map.byRank)[state.pool];
    const least = scale.low < low ? `the smallest is ${formatValue(low, map.unit)}; ` : "";
    this.legend.update(scale, map.unit, `${capitalise(pool)} ${map.label} in each pixel`, `${least}blank: not known${rows}`);
  }

  private describe({ rows, shown, window, pool }: MapDrawing, place: Place | undefined): void {
    const { loop, map } = this.find(this.page.store.state);
    if (place === undefined) {
      this.readout.textContent = invitation;
      return;
    }
    const [row, column] = [shown.first + place.row, window.firstColumn + place.column];
    const processes = rows.processesOf(row);
    const grid = rows.grid(pool);
    const first = column * map.perColumn;
    const last = Math.min(loop.iterations, first + map.perColumn) - 1;
    const where = this.page.names.nameRow(processes[0], processes[processes.length - 1], processes.length);
    const [from, to] = [numberOf(loop, first), numberOf(loop, last)];
    const when = first === last ? `iteration ${from}` : `iterations ${from} to ${to}`;
    const what = first === last && processes.length === 1 ? "" : pool === "largest" ? "largest " : "mean ";
    const isLevel = !(grid.values instanceof Float32Array);
    const value = (isLevel ? "about " : "") + formatValue(readCell(grid, row, column), map.unit);
    const group = this.page.report.groups[this.page.groupOf[processes[0]]];
    this.readout.textContent = `${where}, ${when}: ${what}${map.label} ${value}` +
      (group && rows === this.decode(loop, map).byGroup ? `; ${group.name}` : "");
  }

  // A row of processes of several groups chooses none.
  private chooseGroupOf({ rows, shown }: MapDrawing, place: Place): void {
    const { groupOf, store } = this.page;
    const processes = rows.processesOf(shown.first + place.row);
    const group = groupOf[processes[0]];
    if (processes.some((process) => groupOf[process] !== group)) return;
    store.change({ group: group === store.state.group ? -1 : group });
  }
}

// Where values are much alike, as of noise, colours begin at half of the largest, so that they are
// seen to be alike; else at the smallest.
function beginColours(low: number, high: number): number {
  return low > 0 && low < high ? Math.min(low, high / 2) : low;
}

// Few rows need no high map.
function fitRows(rows: number, most: number): number {
  return Math.min(most, Math.max(24, rows * 24));
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
