// The legend of a map: colours, and the values that they span. Between equalised colours, values
// are not evenly far from each other, so it writes more of them and says so.

import { addElement } from "./controls";
import { cssColour, type ColourScale } from "./colours";
import { makeFormat } from "./format";

const patches = 64;
const patchWidth = 4;

export class Legend {
  private readonly box: HTMLElement;
  private readonly strip: SVGSVGElement;
  private readonly text: HTMLElement;

  constructor(parent: Element) {
    this.box = addElement(parent, "div", "legend");
    this.strip = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.box.append(this.strip);
    this.text = addElement(this.box, "span");
  }

  // `what`: "largest computation in each cell". `empty`: what transparent cells mean.
  update(scale: ColourScale, unit: string, what: string, empty: string): void {
    const write = makeFormat(Math.max(Math.abs(scale.low), Math.abs(scale.high)), unit);
    const shares = scale.equalised ? [0, 0.25, 0.5, 0.75, 1] : [0, 0.5, 1];
    this.drawStrip(shares.map((share) => [share, write(scale.valueAt(share))]));
    const span = `${write(scale.low)} to ${write(scale.high)}`;
    this.text.textContent =
      (scale.low === scale.high
        ? `${what}: all are ${write(scale.low)}`
        : scale.equalised
          ? `${what}: colours span ${span}, each is used as often, so small differences look large`
          : `${what}: colours span ${span} evenly`) + (empty === "" ? "" : `; ${empty}`);
  }

  private drawStrip(ticks: [number, string][]): void {
    const width = patches * patchWidth;
    const margin = 30;
    this.strip.replaceChildren();
    this.strip.setAttribute("width", String(width + 2 * margin));
    this.strip.setAttribute("height", "28");
    this.strip.setAttribute("aria-hidden", "true");
    for (let patch = 0; patch < patches; ++patch) {
      this.add("rect", {
        x: margin + patch * patchWidth,
        y: 0,
        width: patchWidth + 0.5,
        height: 10,
        fill: cssColour(patch / (patches - 1)),
      });
    }
    for (const [share, text] of ticks) {
      const x = margin + share * width;
      this.add("path", { d: `M${x},10v4`, class: "tick" });
      this.add("text", { x, y: 25, "text-anchor": "middle" }).textContent = text;
    }
  }

  private add(name: string, attributes: Record<string, string | number>): SVGElement {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    this.strip.append(element);
    return element;
  }
}
