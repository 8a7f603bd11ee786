// The Process Summary: a bar for each group, with the least, mean and most time of its processes in
// the functions with most time, as stairs beside each other.
//
// Source: thesis 4.4.1 (Brunst's Process Summary in Vampir, with groups for its clusters).

import { select, type Selection } from "d3-selection";

import { addElement } from "./controls";
import { formatValue, groupDigits } from "./format";
import { countGroups, shorten } from "./names";
import type { Page } from "./page";

export interface Extent {
  least: number;
  mean: number;
  most: number;
}

export interface Bar {
  name: string;
  members: number;
  chosen: boolean;
  extents: Extent[]; // by function
}

const colours = ["#0072b2", "#e69f00", "#009e73", "#56b4e9", "#d55e00", "#f0e442", "#cc79a7", "#8c6b31", "#999999", "#404040"];
const barHeight = 15;
const rowHeight = 21;
const keyHeight = 18;
const mostBars = 24;

export class ProcessSummary {
  static readonly mostFunctions = colours.length;
  private readonly heading: HTMLElement;
  private readonly key: HTMLElement;
  private readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;

  constructor(
    private readonly page: Page,
    parent: Element,
    private readonly choose: (group: number) => void,
  ) {
    this.heading = addElement(parent, "h3", "", "Time of a process, by group: steps at the least, the mean and the most");
    this.svg = select(parent).append("svg").attr("class", "summary").attr("role", "img");
    this.svg.attr("aria-label", "Least, mean and most time of each group's processes in the largest functions");
    this.key = addElement(parent, "p", "key");
  }

  draw(functions: string[], bars: Bar[], unit: string, width: number): void {
    const { svg } = this;
    const isShown = bars.length > 1;
    this.heading.hidden = !isShown;
    this.key.hidden = !isShown;
    svg.selectAll("*").remove();
    svg.attr("width", 0).attr("height", 0);
    if (!isShown) return;

    const left = Math.min(280, width * 0.35);
    const known = (extent: Extent) => (Number.isFinite(extent.most) ? extent.most : 0);
    const longest = Math.max(...bars.map((bar) => bar.extents.reduce((sum, extent) => sum + known(extent), 0)));
    const perUnit = longest > 0 ? (width - left - 8) / longest : 0;
    const shown = bars.slice(0, mostBars);
    const columns = Math.max(1, Math.floor((width - left) / 190));
    const keyLines = Math.ceil(functions.length / columns);
    svg.attr("width", width).attr("height", shown.length * rowHeight + keyLines * keyHeight + 6);
    shown.forEach((bar, k) => this.drawBar(bar, k, functions, left, perUnit, unit));
    functions.forEach((name, k) => {
      const x = left + (k % columns) * 190;
      const y = shown.length * rowHeight + Math.floor(k / columns) * keyHeight + 6;
      svg.append("rect").attr("x", x).attr("y", y).attr("width", 10).attr("height", 10).attr("fill", colours[k]);
      svg.append("text").attr("x", x + 15).attr("y", y + 9).text(shorten(name, 26));
    });
    const more = bars.length - shown.length;
    this.key.textContent = more > 0 ? `${countGroups(more)} more are not shown.` : "";
    this.key.hidden = more === 0;
  }

  private drawBar(bar: Bar, index: number, functions: string[], left: number, perUnit: number, unit: string): void {
    const y = index * rowHeight;
    const { state } = this.page.store;
    const row = this.svg
      .append("g")
      .attr("class", "bar" + (bar.chosen ? " chosen" : ""))
      .on("click", () => this.choose(index === state.group ? -1 : index));
    row
      .append("text")
      .attr("x", left - 8)
      .attr("y", y + barHeight - 4)
      .attr("text-anchor", "end")
      .text(shorten(`${groupDigits(bar.members)}× ${bar.name}`, Math.floor(left / 6.6)));
    let x = left;
    bar.extents.forEach((extent, k) => {
      if (!(extent.most > 0)) return;
      const [a, b, c] = [extent.least, extent.mean, extent.most].map((value) => value * perUnit);
      const step = barHeight / 3;
      row
        .append("path")
        .attr("d", `M${x},${y + barHeight}v${-barHeight}h${a}v${step}h${b - a}v${step}h${c - b}v${step}z`)
        .attr("fill", colours[k])
        .append("title")
        .text(
          `${bar.name}, ${functions[k]}: least ${formatValue(extent.least, unit)}, mean ${formatValue(extent.mean, unit)}, ` +
            `most ${formatValue(extent.most, unit)}`,
        );
      x += c;
    });
  }
}
