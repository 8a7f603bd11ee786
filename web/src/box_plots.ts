// Box plots below each other on one axis: whiskers from minimum to maximum, a box between the
// quartiles, a line at the median.

import { axisTop } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select, type Selection } from "d3-selection";

import { formatValue, makeFormat } from "./format";
import { countGroups, shorten } from "./names";
import type { State } from "./state";

export interface BoxRow {
  label: string;
  note: string; // what the box is of, where the label does not tell it
  more: number; // groups that are not shown below this row
  isCalled: boolean; // what has no time of it has no box
  box: ArrayLike<number>;
  quarters: string[]; // who is in each of the four; empty: not known
  chosen: boolean;
  first: boolean; // begins a block of rows
  target: Partial<State>; // what a click changes
}

const rowHeight = 15;
const blockGap = 6;
const boxHeight = 9;
const top = 24;
const longestNote = 40;

export class BoxPlots {
  private readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;

  constructor(
    parent: Element,
    private readonly choose: (row: BoxRow) => void,
  ) {
    this.svg = select(parent).append("svg").attr("class", "boxes").attr("role", "list");
  }

  draw(rows: BoxRow[], unit: string, width: number): void {
    const { svg } = this;
    const focused = this.focusedIndex();
    svg.selectAll("*").remove();
    const left = Math.min(240, width * 0.35);
    const right = rows.some((row) => row.note !== "") ? Math.min(280, width * 0.26) : 16;
    const highest = Math.max(0, ...rows.map((row) => row.box[4]).filter((value) => !Number.isNaN(value)));
    const x = scaleLinear([0, highest > 0 ? highest : 1], [left, width - right]).nice(5);
    const places = placeRows(rows);
    const height = places.length > 0 ? places[places.length - 1] + rowHeight : 0;
    svg.attr("width", width).attr("height", top + height + 4);
    const write = makeFormat(x.domain()[1], unit);
    svg
      .append("g")
      .attr("class", "axis grid")
      .attr("transform", `translate(0,${top})`)
      .call(
        axisTop(x)
          .ticks(Math.max(2, (width - left - right) / 110))
          .tickSize(-height)
          .tickPadding(6)
          .tickFormat((value) => write(Number(value))),
      );
    rows.forEach((row, k) => this.drawRow(row, top + places[k], x, left, width, unit));
    if (focused >= 0) svg.selectAll<SVGGElement, unknown>("g.box").nodes()[focused]?.focus();
  }

  private focusedIndex(): number {
    return this.svg
      .selectAll<SVGGElement, unknown>("g.box")
      .nodes()
      .findIndex((node) => node === document.activeElement);
  }

  private drawRow(
    row: BoxRow,
    y: number,
    x: (value: number) => number,
    left: number,
    width: number,
    unit: string,
  ): void {
    const [minimum, lower, median, upper, maximum] = Array.from(row.box);
    const group = this.svg
      .append("g")
      .attr("class", "box" + (row.chosen ? " chosen" : ""))
      .attr("transform", `translate(0,${y})`)
      .attr("tabindex", 0)
      .attr("role", "listitem")
      .on("click", () => this.choose(row))
      .on("keydown", (event: KeyboardEvent) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.choose(row);
      });
    group.append("rect").attr("class", "back").attr("width", width).attr("height", rowHeight);
    const middle = rowHeight / 2;
    addText(group, left - 8, middle, "end", shorten(row.label, Math.floor(left / 6.6)));
    const title = `${row.label}${row.note === "" ? "" : " " + row.note}: `;
    const more = row.more > 0 ? ` (${countGroups(row.more)} more)` : "";
    if (Number.isNaN(minimum) || !row.isCalled) {
      const missing = Number.isNaN(minimum) ? "not known" : "never called";
      const text = row.note === "" ? missing : `${shorten(row.note, longestNote)}: ${missing}`;
      addText(group, left + 6, middle, "start", text + more).attr("class", "note");
      group.append("title").text(title + missing);
      return;
    }
    if (row.note !== "") {
      addText(group, x(maximum) + 6, middle, "start", shorten(row.note, longestNote) + more).attr("class", "note");
    }
    group.append("path").attr("class", "whisker").attr("d", `M${x(minimum)},${middle}H${x(maximum)}`);
    group
      .append("rect")
      .attr("class", "quartiles")
      .attr("x", x(lower))
      .attr("y", (rowHeight - boxHeight) / 2)
      .attr("width", Math.max(1, x(upper) - x(lower)))
      .attr("height", boxHeight);
    const ends = [minimum, maximum].map((value) => `M${x(value)},${middle - 3}v6`).join("");
    group.append("path").attr("class", "whisker").attr("d", ends);
    group.append("path").attr("class", "median").attr("d", `M${x(median)},${(rowHeight - boxHeight) / 2}v${boxHeight}`);
    const [a, b, c, d, e] = [minimum, lower, median, upper, maximum].map((value) => formatValue(value, unit));
    group.append("title").text(`${title}minimum ${a}, quartiles ${b} and ${d}, median ${c}, maximum ${e}`);
    const bounds = [minimum, lower, median, upper, maximum];
    row.quarters.forEach((who, k) => {
      const [from, to] = [x(bounds[k]), x(bounds[k + 1])];
      group
        .append("rect")
        .attr("class", "quarter")
        .attr("x", from)
        .attr("width", Math.max(to - from, 0))
        .attr("height", rowHeight)
        .append("title")
        .text(`${title}${formatValue(bounds[k], unit)} to ${formatValue(bounds[k + 1], unit)}: ${who === "" ? "nobody" : who}`);
    });
  }
}

function placeRows(rows: BoxRow[]): number[] {
  let y = 0;
  return rows.map((row, k) => {
    if (k > 0) y += rowHeight + (row.first ? blockGap : 0);
    return y;
  });
}

function addText(
  group: Selection<SVGGElement, unknown, null, undefined>,
  x: number,
  y: number,
  anchor: string,
  text: string,
): Selection<SVGTextElement, unknown, null, undefined> {
  return group
    .append("text")
    .attr("x", x)
    .attr("y", y)
    .attr("dy", "0.32em")
    .attr("text-anchor", anchor)
    .text(text);
}
