// What processes do over time. The window is moved by dragging or the arrow keys, and zoomed by the
// wheel with Ctrl, two fingers apart, or the keys + and -. Each pixel has the function of its cell,
// in the coarsest level whose cells are not larger than pixels.

import { scaleLinear } from "d3-scale";
import { select, type Selection } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from "d3-zoom";

import { fitCanvas, pixelRatio, roomIn } from "./canvas";
import type { Numbers } from "./columns";
import { addButton, addElement } from "./controls";
import type { Timeline as TimelineData } from "./data";
import { formatValue, groupDigits, makeFormat } from "./format";
import { shorten } from "./names";
import type { Page, View } from "./page";

const noFunction = 255;
const left = 150;
const right = 14;
const axisHeight = 20;
const mostHeight = 640;
const mostLegend = 12;
const pixelsOfLine = 10; // so many for a message, so that rows are seen behind them
const leastNamed = 40; // CSS pixels of a call that has its name
const leastCells = 8; // that can be zoomed to

// Each kind has a colour, and its functions have shades of it, those with most time first.
const hues: Record<string, [hue: number, saturation: number, lightness: number]> = {
  computation: [212, 56, 44],
  mpi: [343, 40, 51],
  io: [159, 54, 40],
  runtime: [210, 66, 74],
  accelerator: [256, 45, 56],
  measurement: [218, 4, 55],
};
const darkContrast = 0.7; // of lightness, so that the darkest is seen on a dark page
const shades = [0, 17, -11, 28, 9, -18, 22, 4];
const turns = [0, -24, 18, -12, 26, -34, 8, 34];

export class Timeline implements View {
  readonly follows = [] as const;
  private readonly levels: { cells: number; functions: Numbers }[];
  private colours: string[] = [];
  private packed = new Uint32Array(); // by function, as a canvas has them
  private readonly messages: { from: Numbers; to: Numbers; sent: Numbers; received: Numbers };
  private readonly canvas: HTMLCanvasElement;
  private readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private readonly map: HTMLElement;
  private readonly readout: HTMLElement;
  private readonly legend: HTMLElement;
  private readonly behavior: ZoomBehavior<HTMLCanvasElement, unknown>;
  private showsMessages = true;
  private begin = 0; // of what is shown, as a part of all
  private end = 1;
  private width = 0;
  private rowHeight = 0;

  constructor(
    page: Page,
    private readonly data: TimelineData,
    readonly box: HTMLElement,
  ) {
    const { columns } = page;
    this.levels = data.levels.map(({ cells, functions }) => ({ cells, functions: columns.read(functions) }));
    this.messages = {
      from: columns.read(data.from),
      to: columns.read(data.to),
      sent: columns.read(data.sent),
      received: columns.read(data.received),
    };
    const darkPage = matchMedia("screen and (prefers-color-scheme: dark)");
    this.takeColours(darkPage.matches);
    darkPage.addEventListener("change", ({ matches }) => {
      this.takeColours(matches);
      this.update();
    });

    const controls = addElement(box, "div", "controls");
    addButton(controls, "Zoom in", () => this.zoomBy(2));
    addButton(controls, "Zoom out", () => this.zoomBy(0.5));
    addButton(controls, "Whole run", () => this.transform(zoomIdentity));
    if (this.messages.from.length > 0) this.addMessageChoice(controls);
    addElement(controls, "span", "hint", "Drag to move, Ctrl and the wheel zoom.");
    this.map = addElement(box, "div", "map timeline");
    this.svg = select(this.map).append("svg").attr("aria-hidden", "true");
    this.canvas = addElement(this.map, "canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `Timeline of ${data.rows.length} processes; arrow keys move, + and - zoom`);
    this.readout = addElement(box, "p", "readout");
    this.readout.setAttribute("aria-live", "polite");
    this.legend = addElement(box, "ul", "kinds");
    this.behavior = zoom<HTMLCanvasElement, unknown>()
      .scaleExtent([1, Math.max(1, (this.levels[0]?.cells ?? 1) / leastCells)])
      .filter((event: Event) => (event.type === "wheel" ? (event as WheelEvent).ctrlKey : !(event as MouseEvent).button))
      .on("zoom", (event: D3ZoomEvent<HTMLCanvasElement, unknown>) => {
        const { x, k } = event.transform;
        this.begin = Math.max(0, -x / k / this.width);
        this.end = Math.min(1, this.begin + 1 / k);
        this.draw();
      });
    select(this.canvas).call(this.behavior);
    this.canvas.addEventListener("pointermove", (event) => this.follow(event));
    this.canvas.addEventListener("pointerleave", () => this.describe(undefined));
    this.canvas.addEventListener("keydown", (event) => this.press(event));
    this.describe(undefined);
  }

  update(): void {
    const rows = this.data.rows.length;
    this.rowHeight = Math.max(6, Math.min(22, Math.floor(mostHeight / rows)));
    this.width = roomIn(this.box) - this.left() - right;
    const height = rows * this.rowHeight;
    fitCanvas(this.canvas, this.width, height);
    this.canvas.style.marginLeft = `${this.left()}px`;
    this.map.style.paddingBottom = `${axisHeight}px`;
    this.svg.attr("width", this.left() + this.width).attr("height", height + axisHeight);
    this.behavior.extent([[0, 0], [this.width, height]]).translateExtent([[0, 0], [this.width, height]]);
    // The same part is shown in another width.
    const scale = 1 / (this.end - this.begin);
    this.transform(zoomIdentity.scale(scale).translate(-this.begin * this.width, 0));
  }

  private takeColours(isDark: boolean): void {
    const colours = chooseColours(this.data.kinds, isDark);
    this.colours = colours.map(({ css }) => css);
    this.packed = Uint32Array.from({ length: noFunction + 1 }, (_, k) => colours[k]?.packed ?? 0);
  }

  private left(): number {
    return Math.min(left, roomIn(this.box) * 0.25);
  }

  private addMessageChoice(parent: HTMLElement): void {
    const label = addElement(parent, "label");
    const input = addElement(label, "input");
    input.type = "checkbox";
    input.checked = true;
    addElement(label, "span", "", " messages");
    input.addEventListener("change", () => {
      this.showsMessages = input.checked;
      this.draw();
    });
  }

  private transform(to: typeof zoomIdentity): void {
    select(this.canvas).call((of) => this.behavior.transform(of, to));
  }

  private zoomBy(factor: number): void {
    select(this.canvas).call((of) => this.behavior.scaleBy(of, factor));
  }

  private press(event: KeyboardEvent): void {
    const step = { ArrowLeft: 0.2, ArrowRight: -0.2 }[event.key];
    const factor = { "+": 2, "=": 2, "-": 0.5 }[event.key];
    if (step !== undefined) {
      const move = step * this.width * (this.end - this.begin);
      select(this.canvas).call((of) => this.behavior.translateBy(of, move, 0));
    } else if (factor !== undefined) {
      this.zoomBy(factor);
    } else {
      return;
    }
    event.preventDefault();
  }

  // The finest one where cells are larger than pixels.
  private chooseLevel(): { cells: number; functions: Numbers } | undefined {
    const wanted = this.canvas.width / (this.end - this.begin);
    return this.levels.filter(({ cells }) => cells >= wanted).at(-1) ?? this.levels[0];
  }

  private draw(): void {
    const context = this.canvas.getContext("2d");
    const level = this.chooseLevel();
    if (context === null || level === undefined) return;
    const { width, height } = this.canvas;
    const rows = this.data.rows.length;
    const picture = context.createImageData(width, height);
    const pixels = new Uint32Array(picture.data.buffer);
    const cellOf = Array.from({ length: width }, (_, x) => this.cellAt(level.cells, (x + 0.5) / width));
    const gap = this.rowHeight * pixelRatio() >= 12 ? 1 : 0;
    for (let row = 0; row < rows; ++row) {
      const top = Math.round((row * height) / rows);
      const bottom = Math.round(((row + 1) * height) / rows) - gap;
      const line = cellOf.map((cell) => this.packed[level.functions[row * level.cells + cell]]);
      for (let y = top; y < bottom; ++y) pixels.set(line, y * width);
    }
    context.putImageData(picture, 0, 0);
    this.nameCalls(context, level, cellOf);
    if (this.showsMessages) this.drawMessages(context);
    this.drawAxes();
    this.writeLegend(level);
  }

  private cellAt(cells: number, share: number): number {
    return Math.min(cells - 1, Math.floor((this.begin + share * (this.end - this.begin)) * cells));
  }

  // Cells beside each other with one function have its name where there is room.
  private nameCalls(context: CanvasRenderingContext2D, level: { cells: number; functions: Numbers }, cellOf: number[]): void {
    if (this.rowHeight < 11) return;
    const ratio = pixelRatio();
    context.font = `${11 * ratio}px system-ui, "Liberation Sans", "DejaVu Sans", sans-serif`;
    context.textBaseline = "middle";
    this.data.rows.forEach((_, row) => {
      const functionAt = (x: number) => level.functions[row * level.cells + cellOf[x]];
      for (let x = 0, end = 0; x < cellOf.length; x = end) {
        for (end = x + 1; end < cellOf.length && functionAt(end) === functionAt(x); ++end);
        const name = this.data.names[functionAt(x)];
        if (name === undefined || end - x < leastNamed * ratio) continue;
        const text = shorten(name, Math.floor((end - x - 8 * ratio) / (6.4 * ratio)));
        context.fillStyle = isLight(this.packed[functionAt(x)]) ? "#000000" : "#ffffff";
        context.fillText(text, x + 4 * ratio, (row + 0.5) * this.rowHeight * ratio);
      }
    });
  }

  private drawMessages(context: CanvasRenderingContext2D): void {
    const { from, to, sent, received } = this.messages;
    const { seconds } = this.data;
    const ratio = pixelRatio();
    const x = (time: number) => ((time / seconds - this.begin) / (this.end - this.begin)) * this.canvas.width;
    const y = (row: number) => (row + 0.5) * this.rowHeight * ratio;
    context.beginPath();
    for (let k = 0, drawn = 0; k < from.length && drawn < this.width / pixelsOfLine; ++k) {
      const [begin, end] = [x(sent[k]), x(received[k])];
      if (end < 0 || begin > this.canvas.width) continue;
      context.moveTo(begin, y(from[k]));
      context.lineTo(end, y(to[k]));
      ++drawn;
    }
    // White under black is seen on all colours.
    for (const [colour, width] of [["#ffffff", 2.2], ["#000000", 1]] as const) {
      context.strokeStyle = colour;
      context.lineWidth = width * ratio;
      context.stroke();
    }
  }

  private drawAxes(): void {
    const { svg, width, rowHeight } = this;
    const { rows, seconds } = this.data;
    const height = rows.length * rowHeight;
    const side = this.left();
    svg.selectAll("*").remove();
    const step = Math.max(1, Math.ceil(12 / rowHeight));
    for (let row = 0; row < rows.length; row += step) {
      svg
        .append("text")
        .attr("x", side - 6)
        .attr("y", (row + 0.5) * rowHeight)
        .attr("dy", "0.32em")
        .attr("text-anchor", "end")
        .text(shorten(rows[row], Math.floor(side / 6.6)));
    }
    const times = scaleLinear([this.begin * seconds, this.end * seconds], [side, side + width]);
    const write = makeFormat(this.end * seconds, "s");
    for (const time of times.ticks(Math.max(2, width / 120))) {
      svg.append("path").attr("class", "tick").attr("d", `M${times(time)},${height}v4`);
      svg.append("text").attr("x", times(time)).attr("y", height + 15).attr("text-anchor", "middle").text(write(time));
    }
  }

  // What is in sight, the most of it first.
  private writeLegend(level: { cells: number; functions: Numbers }): void {
    const counts = new Map<number, number>();
    const [first, last] = [this.cellAt(level.cells, 0), this.cellAt(level.cells, 1)];
    for (let row = 0; row < this.data.rows.length; ++row) {
      for (let cell = first; cell <= last; ++cell) {
        const of = level.functions[row * level.cells + cell];
        if (of !== noFunction) counts.set(of, (counts.get(of) ?? 0) + 1);
      }
    }
    const order = [...counts].sort((a, b) => b[1] - a[1]).map(([of]) => of);
    this.legend.replaceChildren();
    for (const of of order.slice(0, mostLegend)) {
      addElement(this.legend, "li", "", shorten(this.data.names[of], 40)).style.setProperty("--kind", this.colours[of]);
    }
    if (order.length > mostLegend) addElement(this.legend, "li", "more", `${groupDigits(order.length - mostLegend)} more`);
  }

  private follow(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    this.describe({
      share: (event.clientX - box.left) / box.width,
      row: Math.max(0, Math.min(this.data.rows.length - 1, Math.floor((event.clientY - box.top) / this.rowHeight))),
    });
  }

  private describe(place: { share: number; row: number } | undefined): void {
    const finest = this.levels[0];
    if (place === undefined || finest === undefined) {
      this.readout.textContent = "Point at a place to read what is called there.";
      return;
    }
    const cell = this.cellAt(finest.cells, place.share);
    const name = this.data.names[finest.functions[place.row * finest.cells + cell]] ?? "nothing is called";
    const time = (cell / finest.cells) * this.data.seconds;
    this.readout.textContent = `${this.data.rows[place.row]}, at ${formatValue(time, "s")}: ${name}`;
  }
}

function chooseColours(kinds: string[], isDark: boolean): { css: string; packed: number }[] {
  const used = new Map<string, number>();
  return kinds.map((kind) => {
    const number = used.get(kind) ?? 0;
    used.set(kind, number + 1);
    const [hue, saturation, lightness] = hues[kind] ?? [0, 0, 50];
    const shade = lightness + shades[number % shades.length];
    return makeColour(hue + turns[number % turns.length], saturation, isDark ? 100 - darkContrast * (100 - shade) : shade);
  });
}

// Source: CSS Color 4, 7.1 (from HSL to RGB).
function makeColour(hue: number, saturation: number, lightness: number): { css: string; packed: number } {
  const [s, l] = [saturation / 100, Math.max(0.2, Math.min(0.85, lightness / 100))];
  const part = (n: number) => {
    const k = (n + hue / 30 + 12) % 12;
    return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  const [red, green, blue] = [part(0), part(8), part(4)];
  return { css: `rgb(${red} ${green} ${blue})`, packed: (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0 };
}

function isLight(packed: number): boolean {
  return 0.2126 * (packed & 0xff) + 0.7152 * ((packed >> 8) & 0xff) + 0.0722 * ((packed >> 16) & 0xff) > 130;
}
