// Functions: the table is searched and sorted, and box plots show how their time spreads over the
// processes of each group.

import { addButton, addChoice, addElement, addSearch, addSelect } from "./controls";
import { BoxPlots, type BoxRow } from "./box_plots";
import { isPrinting, roomIn } from "./canvas";
import type { Numbers } from "./columns";
import type { Functions as FunctionData } from "./data";
import { formatValue, groupDigits } from "./format";
import { GroupColumns } from "./group_columns";
import { countGroups } from "./names";
import { ProcessSummary } from "./process_summary";
import type { Page, View } from "./page";
import type { State } from "./state";
import { countUnprinted } from "./tables";

const ofBox = 5; // minimum, quartile, median, quartile, maximum
const mostFunctions = 12;
const mostPrintedFunctions = 7; // with boxes: paper has less room
const mostGroups = 4; // below each other, where no function is chosen
const mostOfFunction = 40; // groups, where one is

export class Functions implements View {
  readonly follows = ["function", "class", "search", "sort", "group"] as const;
  private readonly total: Numbers;
  private readonly visits: Numbers;
  private readonly boxes: Numbers;
  private readonly quarters: Numbers | undefined;
  private readonly summary: ProcessSummary;
  private readonly groupTotal: Numbers;
  private readonly groupVisits: Numbers;
  private readonly plots: BoxPlots;
  private readonly title: HTMLElement;
  private readonly key: HTMLElement; // which groups are shown
  private readonly columns: GroupColumns | undefined;
  private readonly unprinted: HTMLElement | null;
  private readonly found: HTMLElement;
  private readonly mark: ((state: State) => void)[] = [];
  private readonly rows = new Map<number, HTMLTableRowElement>();

  constructor(
    private readonly page: Page,
    private readonly data: FunctionData,
    readonly box: HTMLElement,
    readonly whole: Element, // with the table
  ) {
    this.total = page.columns.read(data.total);
    this.visits = page.columns.read(data.visits);
    this.boxes = page.columns.read(data.boxes);
    this.quarters = data.quarters && page.columns.read(data.quarters);
    this.groupTotal = page.columns.read(data.groupTotal);
    this.groupVisits = page.columns.read(data.groupVisits);
    this.addControls(addElement(box, "div", "controls"));
    this.found = addElement(box, "p", "key");
    this.found.setAttribute("aria-live", "polite");
    this.summary = new ProcessSummary(page, box, (group) => this.change({ group }));
    this.title = addElement(box, "h3");
    this.key = addElement(box, "p", "key");
    this.plots = new BoxPlots(box, (row) => this.choose(row));
    const table = whole.querySelector("table");
    this.columns = table ? new GroupColumns(page, table, "function", ["time of", "calls of"]) : undefined;
    this.unprinted = whole.querySelector(".paper");
    for (const row of whole.querySelectorAll<HTMLTableRowElement>("tr[data-function]")) this.followRow(row);
  }

  update(state: State): void {
    for (const mark of this.mark) mark(state);
    const listed = this.list(state);
    this.sortTable(listed, state);
    this.columns?.update(state.group, (index) => {
      const at = this.findPlace(index, state.group);
      return [formatValue(this.groupTotal[at], this.data.unit), groupDigits(this.groupVisits[at])];
    });
    const { length } = this.data.names;
    const group = this.page.report.groups[state.group];
    this.found.textContent =
      (listed.length === length ? `${length} functions` : `${listed.length} of ${length} functions`) +
      (group && state.sort !== "name" ? `, sorted by the ${state.sort === "visits" ? "calls" : state.sort} of ${group.name}` : "");
    if (this.unprinted) this.unprinted.textContent = countUnprinted(listed.length);
    const chosen = this.data.names[state.function];
    this.title.textContent =
      chosen === undefined
        ? "Time of a process in functions" + (listed.length > countShown() ? `: the first ${countShown()}` : "")
        : `Time of a process in ${chosen}, by group`;
    this.key.textContent = this.describeGroups(state);
    this.key.hidden = this.page.report.groups.length < 2;
    const rows = chosen === undefined ? this.rowsOfFunctions(listed, state) : this.rowsOfGroups(state);
    this.plots.draw(rows, this.data.unit, roomIn(this.box));
    this.drawSummary(state);
  }

  // Of the functions with most time, whatever is searched.
  private drawSummary(state: State): void {
    const { groups } = this.page.report;
    const functions = this.data.names
      .map((_, k) => k)
      .sort((a, b) => this.total[b] - this.total[a])
      .slice(0, ProcessSummary.mostFunctions);
    const bars = groups.map((group, g) => ({
      name: group.name,
      members: group.members,
      chosen: g === state.group,
      extents: functions.map((k) => {
        const box = this.findBox(k, g);
        return { least: box[0], mean: this.groupTotal[this.findPlace(k, g)] / group.members, most: box[ofBox - 1] };
      }),
    }));
    this.summary.draw(
      functions.map((k) => this.data.names[k]),
      bars,
      this.data.unit,
      roomIn(this.box),
    );
  }

  // Who is in each quarter of a box.
  private listQuarters(index: number, group: number): string[] {
    const { groupOf } = this.page;
    const first = index * groupOf.length;
    if (this.quarters === undefined || first + groupOf.length > this.quarters.length) return [];
    const members: number[][] = [[], [], [], []];
    for (let process = 0; process < groupOf.length; ++process) {
      if (groupOf[process] === group) members[this.quarters[first + process]].push(process);
    }
    return members.map((of) => this.page.names.list(of));
  }

  private addControls(parent: HTMLElement): void {
    const setSearch = addSearch(parent, (search) => this.change({ search }, true));
    this.mark.push((state) => setSearch(state.search));
    const classes = [...new Set(this.data.classes)];
    if (classes.length > 1) {
      const options = [{ value: "", label: "all" }, ...classes.map((name) => ({ value: name, label: name }))];
      const set = addSelect(parent, "Function group", options, (name) => this.change({ class: name }));
      this.mark.push((state) => set(state.class));
    }
    const setSort = addChoice(
      parent,
      "Sort by",
      [
        { value: "time", label: "time" },
        { value: "spread", label: "spread" },
        { value: "visits", label: "visits" },
        { value: "name", label: "name" },
      ],
      (sort) => this.change({ sort }),
    );
    this.mark.push((state) => setSort(state.sort));
    const all = addButton(parent, "All functions", () => this.change({ function: -1 }));
    this.mark.push((state) => {
      all.disabled = state.function < 0;
    });
  }

  private change(part: Partial<State>, replace = false): void {
    this.page.store.change({ view: "functions", ...part }, replace);
  }

  private followRow(row: HTMLTableRowElement): void {
    const index = Number(row.dataset["function"]);
    const toggle = () => this.change({ function: this.page.store.state.function === index ? -1 : index });
    this.rows.set(index, row);
    row.tabIndex = 0;
    row.addEventListener("click", toggle);
    row.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    });
  }

  // In the order of the table.
  private list(state: State): number[] {
    const { names, classes } = this.data;
    const searched = state.search.toLowerCase();
    const listed = names
      .map((_, k) => k)
      .filter(
        (k) =>
          names[k].toLowerCase().includes(searched) && (state.class === "" || classes[k] === state.class),
      );
    // Those of the chosen group, where there is one.
    const { groups } = this.page.report;
    const isOfGroup = state.group in groups;
    const all = groups.map((_, k) => k);
    const keys: Record<State["sort"], (k: number) => number> = {
      time: (k) => -(isOfGroup ? this.groupTotal[this.findPlace(k, state.group)] : this.total[k]),
      visits: (k) => -(isOfGroup ? this.groupVisits[this.findPlace(k, state.group)] : this.visits[k]),
      spread: (k) => -this.findSpread(k, isOfGroup ? [state.group] : all),
      name: () => 0,
    };
    if (state.sort === "name") return listed.sort((a, b) => names[a].localeCompare(names[b], "en"));
    const key = keys[state.sort];
    return listed.sort((a, b) => key(a) - key(b));
  }

  // Seconds between the process with least time and the one with most.
  private findSpread(index: number, groups: number[]): number {
    let [low, high] = [Infinity, 0];
    for (const group of groups) {
      const box = this.findBox(index, group);
      if (Number.isNaN(box[0])) continue;
      low = Math.min(low, box[0]);
      high = Math.max(high, box[ofBox - 1]);
    }
    return high > low ? high - low : 0;
  }

  // In columns by function and group.
  private findPlace(index: number, group: number): number {
    return index * this.page.report.groups.length + group;
  }

  private findBox(index: number, group: number): Numbers {
    const at = this.findPlace(index, group) * ofBox;
    return this.boxes.subarray(at, at + ofBox);
  }

  private sortTable(listed: number[], state: State): void {
    for (const row of this.rows.values()) row.hidden = true;
    for (const index of listed) {
      const row = this.rows.get(index);
      if (row === undefined) continue;
      row.hidden = false;
      row.parentElement?.append(row);
    }
    for (const [index, row] of this.rows) {
      row.setAttribute("aria-selected", String(index === state.function));
    }
  }

  private rowsOfFunctions(listed: number[], state: State): BoxRow[] {
    const { groups } = this.page.report;
    return listed.slice(0, countShown()).flatMap((index) => {
      const callers = this.listCallers(index, state);
      const shown = callers.slice(0, mostGroups);
      return shown.map((group, k) => ({
        label: k === 0 ? this.data.names[index] : "",
        note: groups.length > 1 ? groups[group].name : "",
        more: k === shown.length - 1 ? callers.length - shown.length : 0,
        box: this.findBox(index, group),
        quarters: this.listQuarters(index, group),
        isCalled: this.calls(index, group),
        chosen: group === state.group,
        first: k === 0,
        target: { function: index },
      }));
    });
  }

  private rowsOfGroups(state: State): BoxRow[] {
    const callers = this.listCallers(state.function, state);
    return callers.slice(0, mostOfFunction).map((k) => ({
      label: this.page.report.groups[k].name,
      note: "",
      more: 0,
      box: this.findBox(state.function, k),
      quarters: this.listQuarters(state.function, k),
      isCalled: this.calls(state.function, k),
      chosen: k === state.group,
      first: true,
      target: { group: k === state.group ? -1 : k },
    }));
  }

  private describeGroups(state: State): string {
    if (this.data.names[state.function] === undefined) {
      return `Each function has boxes of at most ${mostGroups} groups, those with most time in it. Groups that never call it are left out.`;
    }
    const { length } = this.page.report.groups;
    const callers = this.listCallers(state.function, state).filter((k) => this.calls(state.function, k)).length;
    const left = callers > mostOfFunction ? `; ${countGroups(callers - mostOfFunction)} with less time in it are not shown` : "";
    if (callers === length) return `All ${length} groups call it${left}.`;
    return `${countGroups(callers)} of ${length} ${callers === 1 ? "calls" : "call"} it; the others are left out${left}.`;
  }

  // The chosen group, and those that call the function, those with most time in it first.
  private listCallers(index: number, state: State): number[] {
    const time = (k: number) => (k === state.group ? Infinity : this.groupTotal[this.findPlace(index, k)]);
    return this.page.report.groups
      .map((_, k) => k)
      .filter((k) => k === state.group || this.calls(index, k))
      .sort((a, b) => (time(a) === time(b) ? 0 : time(b) - time(a)));
  }

  private calls(index: number, group: number): boolean {
    const at = this.findPlace(index, group);
    return this.groupVisits[at] > 0 || this.groupTotal[at] > 0;
  }

  private choose(row: BoxRow): void {
    this.change(row.target);
  }
}

function countShown(): number {
  return isPrinting() ? mostPrintedFunctions : mostFunctions;
}
