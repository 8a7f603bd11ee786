// The chart of ranks: its bars stand in the page. What one of them holds is read by pointer and by
// keys, a click chooses the group of its rank, and the ranks of the chosen group are marked.

import { followCursor, type Place } from "./cell_cursor";
import type { Numbers } from "./columns";
import { addElement } from "./controls";
import type { Ranks } from "./data";
import { formatValue } from "./format";
import type { Page, View } from "./page";
import type { State } from "./state";

const svgNames = "http://www.w3.org/2000/svg";

export class RankChart implements View {
  readonly follows = ["group"] as const;
  private readonly processes: Numbers;
  private readonly seconds: Numbers;
  private readonly readout: HTMLElement;
  private readonly marks: SVGPathElement;
  private readonly cursor: HTMLElement;

  constructor(
    private readonly page: Page,
    private readonly data: Ranks,
    readonly box: HTMLElement,
  ) {
    this.processes = page.columns.read(data.processes);
    this.seconds = page.columns.read(data.seconds);
    const plot = box.parentElement?.querySelector<HTMLElement>(".plot") ?? box;
    this.readout = addElement(box, "p", "readout");
    this.readout.setAttribute("aria-live", "polite");
    this.cursor = addElement(plot, "div", "bar-cursor");
    this.marks = this.addMarks(plot);
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", "Time of ranks; arrow keys go through the bars");
    followCursor(plot, {
      size: () => ({ columns: this.processes.length, rows: 1 }),
      move: (place) => this.show(place),
      choose: ({ column }) => this.choose(column),
    });
    this.show(undefined);
  }

  update(state: State): void {
    const { groupOf } = this.page;
    const marked = [...this.processes].flatMap((process, bar) => (groupOf[process] === state.group ? [`M${bar},0h1`] : []));
    this.marks.setAttribute("d", marked.join(""));
  }

  private addMarks(plot: HTMLElement): SVGPathElement {
    const svg = document.createElementNS(svgNames, "svg");
    const marks = document.createElementNS(svgNames, "path");
    svg.setAttribute("class", "bar-marks");
    svg.setAttribute("viewBox", `0 0 ${this.processes.length} 1`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    marks.setAttribute("class", "marked");
    svg.append(marks);
    plot.append(svg);
    return marks;
  }

  private show(place: Place | undefined): void {
    this.cursor.hidden = place === undefined;
    if (place === undefined) {
      this.readout.textContent = "Point at a bar to read it; a click chooses its group.";
      return;
    }
    const { kinds } = this.data;
    const { column } = place;
    this.cursor.style.left = `${(100 * column) / this.processes.length}%`;
    this.cursor.style.width = `${100 / this.processes.length}%`;
    const parts = kinds.flatMap((kind, k) => {
      const value = this.seconds[column * kinds.length + k];
      return value > 0 ? [`${kind} ${formatValue(value, "s")}`] : [];
    });
    this.readout.textContent = `${this.page.names.name(this.processes[column])}: ${parts.join(", ")}`;
  }

  private choose(bar: number): void {
    const { store, groupOf } = this.page;
    const group = groupOf[this.processes[bar]];
    store.change({ group: group === store.state.group ? -1 : group });
  }
}
