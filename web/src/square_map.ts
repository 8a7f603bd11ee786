// A square map, such as who sends messages to whom: rows and columns are of the same things.

import { select, type Selection } from "d3-selection";

import { fitCanvas, isPrinting, paintCells, roomIn } from "./canvas";
import { followCursor, type Place } from "./cell_cursor";
import type { ColourScale } from "./colours";
import { addElement } from "./controls";
import { shorten } from "./names";
import { cellsOfPixel, wholeGrid, type Grid } from "./pool";

export interface SquareDrawing {
  grid: Grid;
  scale: ColourScale;
  names: string[]; // of rows, and of columns
  marked: number[]; // rows of the chosen group
}

const mostWidth = 560;
const mostOnPaper = 380;
const left = 130;
const top = 8;
const bottom = 26;
const right = 14;

export class SquareMap {
  private readonly canvas: HTMLCanvasElement;
  private readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private readonly box: HTMLElement;
  private size = 0;
  private extent = 0; // CSS pixels

  constructor(
    parent: HTMLElement,
    private readonly name: string,
    private readonly hover: (place: Place | undefined) => void,
    choose: (place: Place) => void,
  ) {
    this.box = addElement(parent, "div", "map");
    this.svg = select(this.box).append("svg").attr("aria-hidden", "true");
    this.canvas = addElement(this.box, "canvas");
    this.canvas.setAttribute("role", "img");
    followCursor(this.canvas, {
      size: () => ({ columns: this.size, rows: this.size }),
      move: (place) => this.moveCursor(place),
      choose,
    });
  }

  draw({ grid, scale, names, marked }: SquareDrawing, room: HTMLElement): void {
    this.size = grid.rows;
    this.extent = Math.min(isPrinting() ? mostOnPaper : mostWidth, roomIn(room) - left - right, Math.max(120, grid.rows * 30));
    fitCanvas(this.canvas, this.extent, this.extent);
    this.canvas.style.marginLeft = `${left}px`;
    this.canvas.style.marginTop = `${top}px`;
    this.box.style.width = `${left + this.extent + right}px`;
    this.box.style.paddingBottom = `${bottom}px`;
    this.canvas.setAttribute("aria-label", `${this.name}: ${grid.rows} rows; arrow keys go through the cells`);
    paintCells(this.canvas, grid, wholeGrid(grid), "largest", scale);
    this.drawLabels(names, marked);
  }

  private drawLabels(names: string[], marked: number[]): void {
    const { svg, size, extent } = this;
    svg.selectAll("*").remove();
    svg.attr("width", left + extent + right).attr("height", top + extent + bottom);
    const at = (cell: number) => ((cell + 0.5) / size) * extent;
    const most = Math.min(size, Math.floor(extent / 30));
    for (let k = 0; k < most; ++k) {
      const cell = cellsOfPixel(k, most, size)[0];
      svg
        .append("text")
        .attr("x", left - 9)
        .attr("y", top + at(cell))
        .attr("dy", "0.32em")
        .attr("text-anchor", "end")
        .text(shorten(names[cell], 20));
      svg.append("path").attr("class", "tick").attr("d", `M${left - 6},${top + at(cell)}h6M${left + at(cell)},${top + extent}v5`);
    }
    svg
      .append("text")
      .attr("x", left)
      .attr("y", top + extent + 18)
      .text("columns in the same order →");
    const long = Math.max(2, extent / size);
    const bars = marked.map((cell) => {
      const from = at(cell) - long / 2;
      return `M${left + extent + 5},${top + from}v${long}M${left + from},${top + extent + 4}h${long}`;
    });
    svg.append("path").attr("class", "marked").attr("d", bars.join(""));
    svg.append("path").attr("class", "cursor");
  }

  private moveCursor(place: Place | undefined): void {
    const cursor = this.svg.select(".cursor");
    if (place === undefined) {
      cursor.attr("d", null);
    } else {
      const x = left + ((place.column + 0.5) / this.size) * this.extent;
      const y = top + ((place.row + 0.5) / this.size) * this.extent;
      cursor.attr("d", `M${x},${top}v${this.extent}M${left},${y}h${this.extent}`);
    }
    this.hover(place);
  }
}
