// Minimum, mean and maximum over all processes by iteration, and which iterations the fold keeps.
// What is brushed is drawn alone.

import { axisBottom, axisLeft } from "d3-axis";
import { brushX, type D3BrushEvent } from "d3-brush";
import { scaleLinear, type ScaleLinear } from "d3-scale";
import { select, type Selection } from "d3-selection";
import { area, line } from "d3-shape";

import { numberOf, type LoopMaps } from "./data";
import { groupDigits, makeFormat } from "./format";
import type { Window } from "./iteration_window";

export interface Curves {
  minimum: ArrayLike<number>;
  mean: ArrayLike<number>;
  maximum: ArrayLike<number>;
  group?: { largest: ArrayLike<number>; average: ArrayLike<number> };
}

export interface Frame {
  left: number;
  width: number; // of the cells, in CSS pixels
  right: number;
}

const height = 150;
const top = 10;
const keptHeight = 12;

export class IterationGraph {
  private readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;

  constructor(
    parent: Element,
    private readonly choose: (from: number, to: number) => void,
  ) {
    this.svg = select(parent).append("svg").attr("class", "graph").attr("role", "img");
  }

  // Columns of `curves` hold `perColumn` iterations each.
  draw(curves: Curves, perColumn: number, window: Window, loop: LoopMaps, unit: string, frame: Frame): void {
    const { svg } = this;
    svg.selectAll("*").remove();
    svg
      .attr("width", frame.left + frame.width + frame.right)
      .attr("height", top + height + keptHeight + 22)
      .attr("aria-label", "Minimum, mean and maximum over all processes by iteration");
    const columns = Array.from({ length: window.columns }, (_, k) => window.firstColumn + k);
    const highest = Math.max(0, ...columns.map((k) => curves.maximum[k]).filter((v) => !Number.isNaN(v)));
    // An iteration is around its number, so that a tick is at its middle.
    const x = scaleLinear(
      [window.firstColumn * perColumn - 0.5, (window.firstColumn + window.columns) * perColumn - 0.5],
      [frame.left, frame.left + frame.width],
    );
    const y = scaleLinear([0, highest > 0 ? highest : 1], [top + height, top]).nice(4);
    const middle = (column: number) => x((column + 0.5) * perColumn - 0.5);
    const curve = (values: ArrayLike<number>) =>
      line<number>(middle, (k) => y(values[k])).defined((k) => !Number.isNaN(values[k]))(columns);

    const write = makeFormat(y.domain()[1], unit);
    svg
      .append("g")
      .attr("class", "axis grid")
      .attr("transform", `translate(${frame.left},0)`)
      .call(axisLeft(y).ticks(4).tickSize(-frame.width).tickPadding(6).tickFormat((v) => write(Number(v))));
    svg
      .append("path")
      .attr("class", "range")
      .attr(
        "d",
        area<number>(middle, (k) => y(curves.minimum[k]), (k) => y(curves.maximum[k])).defined(
          (k) => !Number.isNaN(curves.minimum[k]),
        )(columns),
      );
    svg.append("path").attr("class", "minimum").attr("d", curve(curves.minimum));
    svg.append("path").attr("class", "maximum").attr("d", curve(curves.maximum));
    svg.append("path").attr("class", "mean").attr("d", curve(curves.mean));
    if (curves.group) {
      svg.append("path").attr("class", "group-largest").attr("d", curve(curves.group.largest));
      svg.append("path").attr("class", "group-average").attr("d", curve(curves.group.average));
    }
    this.markKept(loop.kept, x);
    svg
      .append("g")
      .attr("class", "axis")
      .attr("transform", `translate(0,${top + height + keptHeight})`)
      .call(
        axisBottom(x)
          .tickValues(x.ticks(Math.max(2, frame.width / 90)).filter(Number.isInteger))
          .tickFormat((v) => groupDigits(numberOf(loop, Number(v)))),
      );
    this.addBrush(x, frame);
  }

  private markKept(kept: number[], x: ScaleLinear<number, number>): void {
    const [from, to] = [top + height + 2, top + height + keptHeight - 2];
    const [first, end] = x.domain();
    const marks = kept.filter((k) => k > first && k < end).map((k) => x(k).toFixed(1));
    this.svg
      .append("path")
      .attr("class", "kept")
      .attr("d", marks.map((at) => `M${at},${from}V${to}`).join(""));
  }

  private addBrush(x: ScaleLinear<number, number>, frame: Frame): void {
    const brush = brushX<unknown>()
      .extent([
        [frame.left, top],
        [frame.left + frame.width, top + height],
      ])
      .on("end", (event: D3BrushEvent<unknown>) => {
        if (event.selection === null) return;
        const [from, to] = event.selection as [number, number];
        this.choose(Math.max(0, Math.floor(x.invert(from) + 0.5)), Math.ceil(x.invert(to) + 0.5));
      });
    this.svg.append("g").attr("class", "brush").call(brush);
  }
}
