// The map of a metric: iterations from left to right, processes from top to bottom. Below it, the
// rows of the chosen group alone, so that one process of many fills more than a line.

import { select, type Selection } from "d3-selection";

import { fitCanvas, paintCells } from "./canvas";
import { followCursor, type Place } from "./cell_cursor";
import type { ColourScale } from "./colours";
import { addElement } from "./controls";
import type { Frame } from "./iteration_graph";
import type { Window } from "./iteration_window";
import type { MapRows } from "./map_rows";
import { shorten } from "./names";

export interface Rows {
  first: number;
  count: number;
}

// What is written beside rows: its middle row, or all rows that it stands for.
export interface RowLabel extends Rows {
  text: string;
}

export interface MapDrawing {
  rows: MapRows;
  shown: Rows;
  window: Window;
  pool: "largest" | "average";
  scale: ColourScale;
  labels: RowLabel[];
  marked: number[]; // rows of the chosen group
  height: number; // CSS pixels
  frame: Frame;
}

const lineHeight = 13;

export class IterationMap {
  private readonly box: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private drawing: MapDrawing | undefined;

  constructor(
    parent: Element,
    private readonly name: string,
    private readonly hover: (map: MapDrawing, place: Place | undefined) => void,
    choose: (map: MapDrawing, place: Place) => void,
  ) {
    this.box = addElement(parent, "div", "map");
    this.svg = select(this.box).append("svg").attr("aria-hidden", "true");
    this.canvas = addElement(this.box, "canvas");
    this.canvas.setAttribute("role", "img");
    followCursor(this.canvas, {
      size: () => ({ columns: this.drawing?.window.columns ?? 0, rows: this.drawing?.shown.count ?? 0 }),
      move: (place) => this.moveCursor(place),
      choose: (place) => this.drawing && choose(this.drawing, place),
    });
  }

  hide(): void {
    this.box.hidden = true;
  }

  draw(drawing: MapDrawing): void {
    this.drawing = drawing;
    this.box.hidden = false;
    const { rows, shown, window, pool, scale, frame, height } = drawing;
    fitCanvas(this.canvas, frame.width, height);
    this.canvas.style.marginLeft = `${frame.left}px`;
    this.canvas.setAttribute(
      "aria-label",
      `${this.name}: ${window.columns} columns, ${shown.count} rows; arrow keys go through the cells`,
    );
    const region = { ...window, firstRow: shown.first, rows: shown.count };
    paintCells(this.canvas, rows.grid(pool), region, pool, scale);
    this.drawLabels(drawing);
  }

  private drawLabels({ shown, labels, marked, frame, height }: MapDrawing): void {
    const { svg } = this;
    svg.selectAll("*").remove();
    svg.attr("width", frame.left + frame.width + frame.right).attr("height", height);
    const y = (row: number) => ((row - shown.first) / shown.count) * height;
    let free = -lineHeight;
    for (const label of labels) {
      const [from, to] = [y(label.first), y(label.first + label.count)];
      const middle = Math.max(lineHeight / 2, Math.min(height - lineHeight / 2, (from + to) / 2));
      const hasRoom = middle - free >= lineHeight;
      // Where several rows begin is seen without their name, too.
      if (from > 0.5 && (hasRoom || label.count > 1)) {
        svg.append("path").attr("class", "tick").attr("d", `M${frame.left - 6},${from.toFixed(1)}h6`);
      }
      if (!hasRoom) continue;
      free = middle;
      svg
        .append("text")
        .attr("x", frame.left - 9)
        .attr("y", middle)
        .attr("dy", "0.32em")
        .attr("text-anchor", "end")
        .text(shorten(label.text, Math.floor(frame.left / 6.3)))
        .append("title")
        .text(label.text);
    }
    const bars = marked.map((row) => `M${frame.left + frame.width + 5},${y(row).toFixed(1)}v${markHeight(y, row)}`);
    svg.append("path").attr("class", "marked").attr("d", bars.join(""));
    svg.append("path").attr("class", "cursor");
  }

  private moveCursor(place: Place | undefined): void {
    if (this.drawing === undefined) return;
    const { window, shown, frame, height } = this.drawing;
    const cursor = this.svg.select(".cursor");
    if (place === undefined) {
      cursor.attr("d", null);
    } else {
      const x = frame.left + ((place.column + 0.5) / window.columns) * frame.width;
      const y = ((place.row + 0.5) / shown.count) * height;
      cursor.attr("d", `M${x},0V${height}M${frame.left},${y}h${frame.width}`);
    }
    this.hover(this.drawing, place);
  }
}

// A row can be thinner than what the eye finds.
function markHeight(y: (row: number) => number, row: number): string {
  return Math.max(2, y(row + 1) - y(row)).toFixed(1);
}
