// Draws the views of a report, and redraws them when something else is chosen.

import { Calls } from "./calls";
import { setPrinting } from "./canvas";
import { inflateColumns, type Columns } from "./columns";
import { addElement } from "./controls";
import type { Report } from "./data";
import { Fold } from "./fold";
import { Functions } from "./functions";
import { GroupGrid } from "./group_grid";
import { Groups } from "./groups";
import { Iterations } from "./iterations";
import { Matrix } from "./matrix";
import { ProcessNames } from "./names";
import { addBar, showView } from "./navigation";
import type { Page, View } from "./page";
import { Poset } from "./poset";
import { RankChart } from "./rank_chart";
import { Redraw } from "./redraw";
import { Similarity } from "./similarity";
import { Store } from "./state";
import { makeTablesScroll } from "./tables";
import { Timeline } from "./timeline";
import { Waits } from "./waits";

function readText(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

function makeViews(page: Page): View[] {
  const { report } = page;
  const views: View[] = [new Groups(page, addBar())];
  const place = (name: string, make: (box: HTMLElement) => View) => {
    const box = document.querySelector<HTMLElement>(`[data-view="${name}"]`);
    if (box) views.push(make(box));
  };
  if (report.loops.some((loop) => loop.maps.length > 0)) place("iterations", (box) => new Iterations(page, box));
  const { ranks, timeline, waits, functions, calls, matrix, similarity, poset, grid } = report;
  if (timeline) place("timeline", (box) => new Timeline(page, timeline, box));
  if (ranks) place("ranks", (box) => new RankChart(page, ranks, box));
  if (functions) {
    place("functions", (box) => new Functions(page, functions, box, box.closest("section") ?? box));
  }
  if (calls) place("calls", (box) => new Calls(page, calls, box));
  if (matrix) place("matrix", (box) => new Matrix(page, matrix, box));
  if (similarity) place("similarity", (box) => new Similarity(page, similarity, box));
  if (grid) place("grid", (box) => new GroupGrid(page, grid, box));
  if (poset) place("poset", (box) => new Poset(page, poset, box));
  const ofWaits = document.querySelector<HTMLTableElement>("#waits table");
  if (waits && ofWaits) views.push(new Waits(page, waits, ofWaits));
  const fold = document.querySelector("#fold");
  if (fold) views.push(new Fold(page, fold));
  return views;
}

function makePage(report: Report, columns: Columns): Page {
  return {
    report,
    columns,
    names: new ProcessNames(report, columns),
    groupOf: columns.read(report.groupOf),
    store: new Store(),
  };
}

// The sizes of views, and of a pixel, change; a frame later all of it has happened.
function redrawOnResize(draw: () => void): void {
  let width = innerWidth;
  let ratio = devicePixelRatio;
  let waiting = false;
  addEventListener("resize", () => {
    if (waiting || (innerWidth === width && devicePixelRatio === ratio)) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      width = innerWidth;
      ratio = devicePixelRatio;
      draw();
    });
  });
}

function redrawForPaper(draw: () => void): void {
  addEventListener("beforeprint", () => {
    setPrinting(true);
    draw();
  });
  addEventListener("afterprint", () => {
    setPrinting(false);
    draw();
  });
}

// A link to a view shows it; "back" leaves the page where the browser puts it. What is above the
// view takes its room before.
function followLinks(page: Page, redraw: Redraw): void {
  const show = () => {
    redraw.finish();
    showView(page.store.state.view);
  };
  let isFollowed = false;
  addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
    if (link === null || event.defaultPrevented) return;
    isFollowed = true;
    if (link.getAttribute("href") === location.hash) show();
  });
  addEventListener("hashchange", () => {
    if (isFollowed) show();
    isFollowed = false;
  });
}

async function start(): Promise<void> {
  const report = JSON.parse(readText("report-data")) as Report;
  const page = makePage(report, await inflateColumns(readText("report-columns")));
  document.documentElement.classList.add("scripted");
  makeTablesScroll();
  const views = makeViews(page);
  const redraw = new Redraw(views, page.store);
  redraw.drawAll();
  redrawOnResize(() => redraw.drawInTurn());
  redrawForPaper(() => redraw.drawAll());
  followLinks(page, redraw);
  if (page.store.state.view !== "") showView(page.store.state.view);
}

start().catch((error: unknown) => {
  for (const box of document.querySelectorAll("[data-view]")) {
    addElement(box, "p", "unknown", `This cannot be drawn: ${String(error)}`);
  }
  throw error;
});
