// Canvases whose pixels are pixels of the device.

import type { ColourScale } from "./colours";
import { poolCells, type Grid, type Region } from "./pool";

// Paper has more dots than a screen, and its width is another.
let printing = false;
const printedRatio = 2;
const printedWidth = 700; // A4 between margins, in CSS pixels

export function setPrinting(now: boolean): void {
  printing = now;
}

export function isPrinting(): boolean {
  return printing;
}

export function pixelRatio(): number {
  return printing ? printedRatio : devicePixelRatio;
}

// The browser lays the page out anew where a width is asked for after something was drawn, so
// those of several views are asked for before any of them is.
let rooms: Map<HTMLElement, number> | undefined;

export function measureRooms(elements: readonly HTMLElement[], draw: () => void): void {
  rooms = new Map(elements.map((element) => [element, measureRoom(element)]));
  try {
    draw();
  } finally {
    rooms = undefined;
  }
}

// What a view has, in CSS pixels.
export function roomIn(element: HTMLElement): number {
  return rooms?.get(element) ?? measureRoom(element);
}

function measureRoom(element: HTMLElement): number {
  const room = printing ? Math.min(printedWidth, element.clientWidth || printedWidth) : element.clientWidth;
  return Math.max(280, Math.floor(room));
}

// The width and height that are nearest to the wanted ones, and whole pixels of the device.
export function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number): void {
  const ratio = pixelRatio();
  const [columns, rows] = [width, height].map((length) => Math.max(1, Math.round(length * ratio)));
  // Setting a size makes the canvas anew, which takes as long as to fill it.
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  canvas.style.width = `${canvas.width / ratio}px`;
  canvas.style.height = `${canvas.height / ratio}px`;
}

export function paintCells(
  canvas: HTMLCanvasElement,
  grid: Grid,
  region: Region,
  how: "largest" | "average",
  scale: ColourScale,
): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const values = poolCells(grid, region, canvas.width, canvas.height, how);
  const picture = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(picture.data.buffer);
  let [value, colour] = [NaN, scale.colour(NaN)];
  for (let k = 0; k < values.length; ++k) {
    if (values[k] !== value) {
      value = values[k]; // pixels beside each other are often of the same cell
      colour = scale.colour(value);
    }
    pixels[k] = colour;
  }
  context.putImageData(picture, 0, 0);
}
