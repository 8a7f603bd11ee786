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

// What a view has, in CSS pixels.
export function roomIn(element: HTMLElement): number {
  const room = printing ? Math.min(printedWidth, element.clientWidth || printedWidth) : element.clientWidth;
  return Math.max(280, Math.floor(room));
}

// The width and height that are nearest to the wanted ones, and whole pixels of the device.
export function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number): void {
  const ratio = pixelRatio();
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
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
