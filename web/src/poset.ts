// Who does the work of whom: each node adds calls to those above it. Where nodes stand was computed
// before; here they are drawn, and zoomed by wheel, buttons or keys.

import { select, type Selection } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from "d3-zoom";

import { roomIn } from "./canvas";
import { addButton, addElement, addSearch } from "./controls";
import type { Poset as PosetData, PosetNode } from "./data";
import { groupDigits } from "./format";
import type { Page, View } from "./page";
import type { State } from "./state";

const mostHeight = 440;
const margin = 12;
const zoomStep = 1.6;
const letterShare = 0.5; // of the height of a box

export class Poset implements View {
  readonly follows = ["group", "boxes"] as const;
  private readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private readonly drawing: Selection<SVGGElement, unknown, null, undefined>;
  private readonly readout: HTMLElement;
  private readonly setSearch: (text: string) => void;
  private readonly found: HTMLElement; // in how many boxes
  private readonly behavior: ZoomBehavior<SVGSVGElement, unknown>;
  private readonly nodes: Selection<SVGGElement, PosetNode, SVGGElement, unknown>;
  private readonly edges: Selection<SVGPathElement, number[], SVGGElement, unknown>;
  private readonly above: number[][];
  private readonly below: number[][];
  private width = 0;

  constructor(
    private readonly page: Page,
    private readonly data: PosetData,
    readonly box: HTMLElement,
  ) {
    this.above = data.nodes.map(() => []);
    this.below = data.nodes.map(() => []);
    for (const [lower, upper] of data.edges) {
      this.above[lower]?.push(upper);
      this.below[upper]?.push(lower);
    }
    const controls = addElement(box, "div", "controls");
    this.svg = select(box)
      .append("svg")
      .attr("class", "poset")
      .attr("role", "group")
      .attr("aria-label", "Who does the work of whom; arrow keys go from node to node");
    this.drawing = this.svg.append("g");
    this.edges = this.drawing
      .append("g")
      .selectAll<SVGPathElement, number[]>("path")
      .data(data.edges)
      .join("path")
      .attr("class", "edge")
      .attr("d", (edge) => this.drawEdge(edge));
    this.nodes = this.addNodes();
    this.readout = addElement(box, "p", "readout");
    this.readout.setAttribute("aria-live", "polite");
    this.behavior = zoom<SVGSVGElement, unknown>()
      .filter((event: Event) => event.type !== "wheel" || (event as WheelEvent).ctrlKey || this.isFocused())
      .on("zoom", (event: D3ZoomEvent<SVGSVGElement, unknown>) => {
        this.drawing.attr("transform", event.transform.toString());
      });
    this.svg.call(this.behavior);
    this.setSearch = addSearch(controls, (boxes) => page.store.change({ view: "poset", boxes }, true));
    this.found = addElement(controls, "span", "hint");
    this.found.setAttribute("aria-live", "polite");
    addButton(controls, "Zoom in", () => this.behavior.scaleBy(this.svg, zoomStep));
    addButton(controls, "Zoom out", () => this.behavior.scaleBy(this.svg, 1 / zoomStep));
    addButton(controls, "Whole drawing", () => this.showAll());
    addElement(controls, "span", "hint", "Drag to move; Ctrl and the wheel zoom.");
    this.tell(undefined);
  }

  update(state: State): void {
    this.fit();
    const ends = this.data.nodes.map((node) => node.groups.includes(state.group));
    const chosen = new Set(this.data.nodes.flatMap((_, k) => (ends[k] ? [k] : [])));
    const reached = this.reach(chosen);
    const searched = state.boxes.trim().toLowerCase();
    this.setSearch(state.boxes);
    const found = searched === "" ? undefined : this.search(searched);
    this.found.textContent = found === undefined ? "" : `in ${found.size} of ${this.data.nodes.length} boxes`;
    this.nodes
      .classed("found", (_, k) => found?.has(k) ?? false)
      .classed("chosen", (_, k) => chosen.has(k))
      .classed("above", (_, k) => reached.has(k) && !chosen.has(k))
      .classed("faint", (_, k) => (found === undefined ? chosen.size > 0 && !reached.has(k) : !found.has(k)));
    this.edges
      .classed("above", ([lower, upper]: number[]) => reached.has(lower) && reached.has(upper))
      .classed("faint", ([lower]: number[]) => chosen.size > 0 && !reached.has(lower));
  }

  private addNodes(): Selection<SVGGElement, PosetNode, SVGGElement, unknown> {
    const { nodeHeight } = this.data;
    const nodes = this.drawing
      .append("g")
      .selectAll<SVGGElement, PosetNode>("g")
      .data(this.data.nodes)
      .join("g")
      .attr("class", (node) => "node" + (node.groups.length > 0 ? " ends" : ""))
      .attr("transform", (node) => `translate(${node.x},${node.y})`)
      .attr("tabindex", (_, k) => (k === 0 ? 0 : -1))
      .attr("role", "button")
      .attr("aria-label", (node) => describe(node));
    nodes
      .append("rect")
      .attr("x", (node) => -node.width / 2)
      .attr("y", -nodeHeight / 2)
      .attr("width", (node) => node.width)
      .attr("height", nodeHeight)
      .attr("rx", 4);
    nodes
      .append("text")
      .attr("dy", "0.34em")
      .attr("text-anchor", "middle")
      .attr("font-size", nodeHeight * letterShare)
      .text((node) => node.label);
    nodes.append("title").text(describe);
    nodes
      .on("click", (_, node) => this.choose(node))
      .on("focus", (event: FocusEvent, node) => {
        this.nodes.attr("tabindex", -1);
        (event.currentTarget as SVGGElement).setAttribute("tabindex", "0");
        this.tell(node);
      })
      .on("pointerenter", (_, node) => this.tell(node))
      .on("pointerleave", () => this.tell(undefined))
      .on("keydown", (event: KeyboardEvent, node) => this.pressKey(event, node));
    return nodes;
  }

  // All of it in the width there is, but never larger than it was laid out.
  private fit(): void {
    const width = roomIn(this.box);
    if (width === this.width) return;
    this.width = width;
    const scale = this.findScale();
    this.svg.attr("width", width).attr("height", Math.min(mostHeight, this.data.height * scale + 2 * margin));
    this.behavior.scaleExtent([scale / 2, 4]);
    this.showAll();
  }

  private findScale(): number {
    const { width, height } = this.data;
    const room = [(this.width - 2 * margin) / width, (mostHeight - 2 * margin) / height];
    return Math.min(1, ...room.filter(Number.isFinite));
  }

  private showAll(): void {
    const scale = this.findScale();
    const left = (this.width - scale * this.data.width) / 2;
    this.behavior.transform(this.svg, zoomIdentity.translate(left, margin).scale(scale));
  }

  private drawEdge([lower, upper, ...bends]: number[]): string {
    const { nodes, nodeHeight } = this.data;
    const [from, to] = [nodes[lower], nodes[upper]];
    const points = [from.x, from.y - nodeHeight / 2, ...bends, to.x, to.y + nodeHeight / 2];
    return "M" + points.join(",");
  }

  // Boxes at which the named process ends, or else those with the text in what they say.
  private search(text: string): Set<number> {
    const { names, groupOf } = this.page;
    const name = /^\d+$/.test(text) ? `rank ${text}` : text;
    let process = 0;
    while (process < groupOf.length && names.name(process).toLowerCase() !== name) ++process;
    const has = (node: PosetNode) =>
      process < groupOf.length ? node.groups.includes(groupOf[process]) : describe(node).toLowerCase().includes(text);
    return new Set(this.data.nodes.flatMap((node, k) => (has(node) ? [k] : [])));
  }

  // These nodes and all above them.
  private reach(from: Set<number>): Set<number> {
    const reached = new Set(from);
    for (const node of reached) {
      for (const upper of this.above[node]) reached.add(upper);
    }
    return reached;
  }

  private pressKey(event: KeyboardEvent, node: PosetNode): void {
    const index = this.data.nodes.indexOf(node);
    let next: number | undefined;
    if (event.key === "ArrowUp") next = this.above[index][0];
    else if (event.key === "ArrowDown") next = this.below[index][0];
    else if (event.key === "ArrowLeft") next = (index + this.data.nodes.length - 1) % this.data.nodes.length;
    else if (event.key === "ArrowRight") next = (index + 1) % this.data.nodes.length;
    else if (event.key === "Enter" || event.key === " ") this.choose(node);
    else if (event.key === "+") this.behavior.scaleBy(this.svg, zoomStep);
    else if (event.key === "-") this.behavior.scaleBy(this.svg, 1 / zoomStep);
    else return;
    event.preventDefault();
    if (next !== undefined) this.nodes.nodes()[next].focus();
  }

  private choose(node: PosetNode): void {
    if (node.groups.length === 0) return;
    const { store } = this.page;
    const at = node.groups.indexOf(store.state.group);
    store.change({ group: node.groups[at + 1] ?? -1 });
  }

  private tell(node: PosetNode | undefined): void {
    this.readout.textContent =
      node === undefined
        ? "Point at a node to read what it adds; a click chooses the group that ends there."
        : describe(node);
  }

  private isFocused(): boolean {
    return this.svg.node()?.contains(document.activeElement) ?? false;
  }
}

function describe(node: PosetNode): string {
  return `${node.title || node.label}: ${groupDigits(node.processes)} processes here and below`;
}
