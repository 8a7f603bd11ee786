// What pages that the program writes do in a browser: PAGES is a folder that make_pages.py filled.
//
// usage: PAGES=FOLDER node --test tests/report/pages_test.mjs     UPDATE=1: makes the picture of the README anew

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { countPages, launch, openPage, readBrightness, readCanvas, readData, removeFolder, waitUntilDrawn } from "./browser.mjs";

const folder = path.resolve(process.env.PAGES);
const listPages = (of) =>
  readdirSync(path.join(folder, of)).filter((name) => name.endsWith(".html")).map((name) => path.join(folder, of, name));

let browser;
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
  removeFolder();
});

async function withPage(file, run, options = {}) {
  const { page, complaints, close } = await openPage(browser, file, "", options);
  try {
    await run(page);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
}

const findBox = (page, selector) => page.locator(selector).first().evaluate((element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return { top, bottom, height: innerHeight };
});

// Whether some pixels are much brighter than others, or only some are drawn.
function showsDifference({ pixels }) {
  let [darkest, brightest, blank] = [255, 0, 0];
  for (let k = 0; k < pixels.length; k += 4) {
    const brightness = 0.2126 * pixels[k] + 0.7152 * pixels[k + 1] + 0.0722 * pixels[k + 2];
    if (pixels[k + 3] === 0) {
      ++blank;
    } else {
      darkest = Math.min(darkest, brightness);
      brightest = Math.max(brightest, brightness);
    }
  }
  return brightest - darkest > 60 || (brightest > 0 && blank > 0);
}

// Means of parts that are apart by more than a few of 64 colours.
function assertApart(chosen, others) {
  assert.ok(chosen.length > 0 && others.length > 0, `${chosen.length} and ${others.length} parts`);
  const gap = Math.max(Math.min(...chosen) - Math.max(...others), Math.min(...others) - Math.max(...chosen));
  assert.ok(gap > 15, `${chosen.map(Math.round)} and ${others.map(Math.round)} are as bright`);
}

// The rows of whom the finding names differ from all others, or the iterations that it names.
async function assertSeenInMap(page, file, finding) {
  const { data, read } = readData(file);
  const state = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
  const loop = data.loops[Number(state.get("loop"))];
  const map = loop.maps.find(({ metric }) => metric === state.get("metric"));
  const [rank, thread] = [read(data.rank), data.thread && read(data.thread)];
  const rows = Array.from(read(map.byRank.order), (process) =>
    `rank ${rank[process]}` + (thread?.[process] ? ` thread ${thread[process]}` : ""));
  const canvas = await readCanvas(page, "[data-view=iterations] canvas");
  const brightness = readBrightness(canvas, rows.length, map.columns);
  const meanOf = (parts) => parts.reduce((sum, part) => sum + brightness[part], 0) / parts.length;
  const { iterations, who } = finding;
  if (iterations) {
    const { first, last } = iterations;
    const isGradual = first === 0 && last + 1 >= map.columns; // then its first half differs
    const end = isGradual ? Math.floor(map.columns / 2) - 1 : last;
    const shown = rows.flatMap((name, row) => (who.length === 0 || who.includes(name) ? [row] : []));
    const meanOfColumns = (isWanted) => meanOf(shown.flatMap((row) =>
      Array.from({ length: map.columns }, (_, column) => column).filter(isWanted).map((column) => row * map.columns + column)));
    assertApart([meanOfColumns((column) => column >= first && column <= end)],
      [meanOfColumns((column) => column < first || column > end)]);
  } else {
    const meanOfRow = (row) => meanOf(Array.from({ length: map.columns }, (_, column) => row * map.columns + column));
    const means = rows.map((name, row) => ({ isOne: who.includes(name), mean: meanOfRow(row) }));
    assert.equal(means.filter(({ isOne }) => isOne).length, who.length);
    assertApart(means.filter(({ isOne }) => isOne).map(({ mean }) => mean),
      means.filter(({ isOne }) => !isOne).map(({ mean }) => mean));
  }
}

describe("a planted cause", () => {
  for (const file of listPages("causes")) {
    const name = path.basename(file, ".html");
    test(`${name} is on the first screen, and seen where the headline leads`, () =>
      withPage(file, async (page) => {
        for (const selector of [".facts", ".finding", ".plot", ".efficiency", ".top tbody tr"]) {
          const { top, bottom, height } = await findBox(page, selector);
          assert.ok(top >= 0 && bottom <= height, `${selector} is not on the first screen`);
        }
        await page.click("#headline .finding a");
        await page.waitForFunction(() => document.querySelector("#bar").getBoundingClientRect().top < 50);
        const state = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
        const view = state.get("view");
        assert.notEqual(view, null);
        const { top, height } = await findBox(page, `[data-view="${view}"]`);
        assert.ok(top >= 0 && top < height / 2, `${view} is not in sight`);
        const { finding } = JSON.parse(readFileSync(file.replace(/html$/, "json"), "utf8"));
        if (view === "iterations" && finding.loss !== "none") {
          await assertSeenInMap(page, file, finding);
        } else if (view === "functions") {
          const chosen = page.locator("#functions tr[aria-selected=true]");
          assert.ok((await chosen.textContent()).startsWith(finding.call?.function ?? "kernel")); // what idle threads do not call
          assert.ok((await page.locator(`[data-view="${view}"] .box`).count()) > 0);
        } else if (view === "matrix") {
          assert.ok(showsDifference(await readCanvas(page, `[data-view="${view}"] canvas`)));
        }
      }));
  }
});

describe("a page of a made trace", () => {
  for (const file of listPages(".")) {
    const name = path.basename(file, ".html");
    test(`${name} is drawn, light, dark and narrow, and printed`, async () => {
      for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 900 } }]) {
        await withPage(file, async (page) => {
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
          for (const view of await page.locator("[data-view]:not([data-view=ranks], [data-view=calls])").all()) {
            assert.ok((await view.locator("canvas, svg").count()) > 0, await view.getAttribute("data-view"));
          }
          for (const canvas of await page.locator("canvas:visible").all()) {
            const [dots, shown] = await canvas.evaluate((of) => [of.width, of.getBoundingClientRect().width * devicePixelRatio]);
            assert.ok(Math.abs(dots - shown) < 0.1);
          }
        }, options);
      }
      await withPage(file, async (page) => {
        const pages = countPages(await page.pdf({ preferCSSPageSize: true }));
        assert.ok(pages <= 7, `${pages} pages`);
      });
    });

    test(`${name}: every group and function is chosen`, () =>
      withPage(file, async (page) => {
        for (const kind of ["group", "function"]) {
          for (const row of (await page.locator(`tr[data-${kind}]`).all()).slice(0, 12)) {
            await row.click({ position: { x: 8, y: 8 } });
            await waitUntilDrawn(page); // a group sorts the functions
            assert.equal(await row.getAttribute("aria-selected"), "true");
          }
        }
        await page.goBack();
        await page.goBack();
      }));
  }

  test("values of a small map are read as they are", () =>
    withPage(path.join(folder, "few.html"), async (page) => {
      const { data, read } = readData(path.join(folder, "few.html"));
      const { maximum, byRank, columns } = data.loops[0].maps[0];
      const cells = read(byRank.largest.cells);
      read(maximum).forEach((most, column) => {
        const values = Array.from({ length: byRank.rows }, (_, row) => cells[row * columns + column]);
        assert.ok(Math.abs(Math.max(...values) - most) <= 0.001 * most);
      });
      await page.locator("[data-view=iterations] canvas").first().hover({ position: { x: 20, y: 20 } });
      assert.match(await page.locator("#iterations .readout").textContent(), /^rank 0, iteration 0: computation time [0-9.]+\s[mu]?s/);
    }));

  test("threads without MPI have no row of waiting", () => {
    const { data, read } = readData(path.join(folder, "threads.html"));
    const [computation, waiting] = data.loops[0].maps;
    const thread = read(data.thread);
    assert.ok(Array.from(read(computation.byRank.order)).some((process) => thread[process] > 0));
    assert.ok(Array.from(read(waiting.byRank.order)).every((process) => thread[process] === 0));
  });

  const has = (name) => existsSync(path.join(folder, `${name}.html`));
  test("streams: kernels have boxes of the streams that run them", { skip: !has("streams") }, () =>
    withPage(path.join(folder, "streams.html"), async (page) => {
      const titles = await page.locator(".box title").allTextContents();
      assert.ok(titles.some((title) => title.startsWith("heavy_kernel") && !/main thread|metric/.test(title)), titles.join("\n"));
      assert.ok(titles.every((title) => !title.includes("metric location")));
    }));

  for (const name of ["ids", "functions", "threads"].filter(has)) {
    test(`${name}: the table of groups is as wide as its section`, () =>
      withPage(path.join(folder, `${name}.html`), async (page) => {
        const [table, section] = await page.evaluate(() =>
          ["#groups table", "#groups"].map((selector) => document.querySelector(selector).getBoundingClientRect().width));
        assert.ok(table <= section, `${table} pixels in ${section}`);
        const reasons = await page.locator("#groups td:nth-child(4)").evaluateAll((cells) => cells.map((cell) => cell.clientHeight));
        assert.ok(Math.max(...reasons) < 120, `${reasons}`);
      }));
  }

  test("functions: a chosen group is followed by what it waits and calls, within the page's width", { skip: !has("functions") }, () =>
    withPage(path.join(folder, "functions.html"), async (page) => {
      await page.click("tr[data-group='1']", { position: { x: 8, y: 8 } });
      await waitUntilDrawn(page);
      assert.match(await page.locator("tr[data-wait='0'] .of-group").first().textContent(), /^[\d.]+\u00a0ms$/);
      assert.match(await page.locator("tr[data-function='0'] .of-group").first().textContent(), /^[\d.]+\u00a0ms$/);
      for (const section of ["waits", "functions"]) {
        const [table, whole] = await page.evaluate((id) =>
          [`#${id} table`, `#${id}`].map((selector) => document.querySelector(selector).getBoundingClientRect().width), section);
        assert.ok(table <= whole, `${section}: ${table} pixels in ${whole}`);
      }
    }));

  // The picture itself differs with the fonts of a machine; what it says does not.
  test("readme: the picture of the README says what the page says", { skip: !has("readme") }, () =>
    withPage(path.join(folder, "readme.html"), async (page) => {
      const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
      const stored = path.join(root, "tests/report/pictures/readme.txt");
      const text = await page.evaluate(() =>
        ["#headline", "#overview"].map((id) => document.querySelector(id).innerText).join("\n").replaceAll("\u00a0", " "));
      const words = text.split("\n").flatMap((line) => line.trim() || []).join("\n") + "\n";
      if (process.env.UPDATE === "1") {
        writeFileSync(stored, words);
        await page.screenshot({ path: path.join(root, "examples/lulesh_report.png") });
      }
      assert.equal(words, readFileSync(stored, "utf8"), "draw it anew with UPDATE=1, and look at it");
    }));

  test("without scripts the headline leads to a section", async () => {
    const { page, close } = await openPage(browser, path.join(folder, "many.html"), "", {
      javaScriptEnabled: false, viewport: { width: 1280, height: 400 },
    });
    await page.click("#headline .finding a");
    const view = await page.locator("#headline .finding a").getAttribute("href");
    const name = new URLSearchParams(view.slice(1)).get("view");
    const { top, height } = await findBox(page, name === null ? view : `section:has([data-view="${name}"])`);
    assert.ok(top > -100 && top < height, `${view} is at ${top}`);
    await close();
  });

  for (const name of ["many", "threads", "few"]) {
    test(`${name} has the numbers of summary`, () =>
      withPage(path.join(folder, `${name}.html`), async (page) => {
        const summary = JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8"));
        const sentence = await page.locator("#headline .finding").textContent();
        assert.equal(sentence.replaceAll("\u00a0", " ").trim().toLowerCase(), summary.headline[0].trim().toLowerCase());
        for (const row of await page.locator(".efficiency").all()) {
          const expected = summary.efficiencies[await row.getAttribute("data-efficiency")];
          const shown = await row.locator(".value").textContent();
          if (expected === null || expected === undefined) assert.equal(shown, "not known");
          else assert.ok(Math.abs(parseFloat(shown) / 100 - expected) <= 0.0051, `${shown}, ${expected}`);
        }
      }));
  }
});
