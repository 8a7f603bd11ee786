// What the scripts of a report do in a browser, on made pages whose numbers are known.
//
// usage: node --test tests/report/report_test.mjs     UPDATE=1: writes the reference pictures

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { comparePictures, countPages, launch, openPage, readBrightness, readCanvas, removeFolder, waitUntilDrawn, writePage } from "./browser.mjs";
import { makePage } from "./make_page.mjs";

const pictures = path.join(path.dirname(fileURLToPath(import.meta.url)), "pictures");
const mapOf = (view) => `[data-view="${view}"] canvas`;

let browser;
let file;
let opened = [];

before(async () => {
  browser = await launch();
  file = writePage("made.html", makePage().html);
});

after(async () => {
  await browser.close();
  removeFolder();
});

async function open(fragment = "", options = {}, of = file) {
  const all = await openPage(browser, of, fragment, options);
  opened.push(all);
  return all.page;
}

// No page may have complained, whatever was done to it.
function onPages(name, run) {
  test(name, async () => {
    opened = [];
    try {
      await run();
      assert.deepEqual(opened.flatMap(({ complaints }) => complaints), []);
    } finally {
      for (const { close } of opened) await close();
    }
  });
}

const fragmentOf = (page) => page.evaluate(() => location.hash);
const isInSight = (page, selector) =>
  page.locator(selector).first().evaluate((element) => {
    const box = element.getBoundingClientRect();
    return box.top >= 0 && box.top < innerHeight && box.height > 0;
  });
// With the spaces that people type.
const readText = async (locator) => (await locator.textContent()).replaceAll("\u00a0", " ");
const rowOfGroup = (group) => `tr[data-group="${group}"]`;
const visibleFunctions = (page) => page.locator("tr[data-function]:visible bdi").allTextContents();
const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

describe("views", () => {
  onPages("are all drawn, one below the other", async () => {
    const page = await open();
    for (const view of ["timeline", "iterations", "matrix", "similarity"]) {
      assert.ok(await page.locator(mapOf(view)).first().isVisible(), view);
    }
    for (const view of ["iterations", "functions", "poset"]) {
      assert.ok(await page.locator(`[data-view="${view}"] svg`).first().isVisible(), view);
    }
    assert.equal(await page.locator("path.kept").getAttribute("d").then((d) => d.split("M").length - 1), 8);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });

  onPages("fit a narrow screen, with names that are nowhere broken", async () => {
    const page = await open("", { viewport: { width: 390, height: 800 } });
    const name = "exchange_externals(HPC_Sparse_Matrix_STRUCT*,std::vector<double>const&,".repeat(3);
    await page.evaluate((text) => {
      for (const section of document.querySelectorAll("section")) {
        section.append(Object.assign(document.createElement("p"), { textContent: text }));
        const select = document.createElement("select");
        select.append(new Option(text));
        section.append(select);
      }
    }, name);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });

  onPages("are drawn anew for another width", async () => {
    const page = await open();
    const wide = await readCanvas(page, mapOf("iterations"));
    await page.setViewportSize({ width: 900, height: 800 });
    await settle(page);
    await waitUntilDrawn(page);
    const narrow = await readCanvas(page, mapOf("iterations"));
    assert.ok(narrow.width < wide.width);
    assert.ok(Math.abs(narrow.width - narrow.shown.width) < 0.1);
  });

  onPages("tell why they cannot be drawn", async () => {
    const { html } = makePage();
    const broken = writePage("broken.html", html.replace(/(id="report-columns">)..../, "$1AAAA"));
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`file://${broken}`);
    await page.locator('[data-view="iterations"] .unknown').waitFor();
    assert.match(await page.locator('[data-view="iterations"]').textContent(), /cannot be drawn/);
    await context.close();
  });
});

describe("state", () => {
  onPages("a chosen group is followed by everything", async () => {
    const page = await open();
    await page.click(rowOfGroup(1));
    await waitUntilDrawn(page);
    assert.equal(await fragmentOf(page), "#group=1");
    assert.equal(await page.locator('[aria-selected="true"]').getAttribute("data-group"), "1");
    assert.equal(await page.locator(".chosen-group select").inputValue(), "1");
    assert.equal(await page.locator('[data-view="iterations"] canvas:visible').count(), 2);
    assert.equal(await page.locator(".group-largest").count(), 1);
    assert.match(await page.locator('[data-view="iterations"]').textContent(), /The rows of edges alone/);
    assert.equal(await page.locator(".box.chosen").count(), 7);
    for (const view of ["iterations", "matrix", "similarity"]) {
      const marked = await page.locator(`[data-view="${view}"] .marked`).first().getAttribute("d");
      assert.match(marked, /^M/, view);
    }
    assert.equal(await page.locator(".node.chosen").textContent(), "edgesedges: 24 processes here and below");

    const readGroupCells = async (row) => (await page.locator(`${row} .of-group:visible`).allTextContents()).map((text) => text.replaceAll("\u00a0", " "));
    assert.deepEqual(await readGroupCells("#functions thead"), ["time of edges", "calls of edges"]);
    // 24 processes with 0.49 s * 1.2 each.
    assert.deepEqual(await readGroupCells("tr[data-function='0']"), ["14.1 s", "48"]);
    assert.deepEqual(await readGroupCells("#waits thead"), ["waiting of edges", "of all waiting of edges"]);
    assert.deepEqual(await readGroupCells("tr[data-wait='1']"), ["480 ms", "66.7 %"]);
    assert.match(await readText(page.locator("#waits .key")), /^Waiting of edges: 720 ms, 38\.1 % of all waiting\.$/);
    assert.match(await readText(page.locator("#fold .key")), /^Of the 24 processes of edges a reduced trace keeps rank 1\.$/);

    await page.click(rowOfGroup(3));
    await waitUntilDrawn(page);
    assert.match(await readText(page.locator("#waits .key")), /^Waiting of rank 0, which writes: none\.$/);
    assert.deepEqual(await readGroupCells("tr[data-wait='0']"), ["0", ""]);

    await page.click(rowOfGroup(3));
    await waitUntilDrawn(page);
    assert.equal(await page.locator('[aria-selected="true"]').count(), 0);
    assert.equal(await page.locator('[data-view="iterations"] canvas:visible').count(), 1);
    assert.equal(await page.locator(".of-group:visible").count(), 0);
    for (const section of ["waits", "fold"]) assert.equal(await page.locator(`#${section} .key:visible`).count(), 0);
  });

  onPages("a choice redraws what is in sight at once, and the rest later or when it comes into sight", async () => {
    const page = await open();
    await page.locator("#iterations").evaluate((section) => section.scrollIntoView());
    const chosen = await page.evaluate(() => {
      window.requestIdleCallback = () => 0; // a browser that is always busy
      document.querySelector("tr[data-group='1']").click();
      return {
        inSight: document.querySelectorAll("[data-view='iterations'] canvas")[1].checkVisibility(),
        outOfSight: document.querySelectorAll(".node.chosen").length,
        drawn: document.documentElement.dataset.drawn,
      };
    });
    assert.deepEqual(chosen, { inSight: true, outOfSight: 0, drawn: "false" });
    await page.locator("[data-view='poset']").evaluate((view) => view.scrollIntoView());
    await page.waitForFunction(() => document.querySelectorAll(".node.chosen").length === 1);

    // A row of a table is marked at once, also where the plots above it are out of sight.
    const isMarked = await page.evaluate(() => {
      const row = document.querySelector("tr[data-function='6']");
      document.querySelector("#calls").scrollIntoView();
      scrollBy(0, -40);
      row.click();
      return row.getAttribute("aria-selected");
    });
    assert.equal(isMarked, "true");

    // Printed is all of it.
    await page.locator("#iterations").evaluate((section) => section.scrollIntoView());
    await page.evaluate(() => document.querySelector("tr[data-group='1']").click());
    assert.equal(await page.locator(".node.chosen").count(), 1);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await page.locator(".node.chosen").count(), 0);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.drawn), "true");
  });

  onPages("all is redrawn where the browser has no requestIdleCallback", async () => {
    const page = await open();
    await page.evaluate(() => {
      delete window.requestIdleCallback;
      document.querySelector("tr[data-group='1']").click();
    });
    await waitUntilDrawn(page);
  });

  onPages("the browser's back undoes one choice after the other", async () => {
    const page = await open();
    await page.click(rowOfGroup(2));
    await page.locator("label", { hasText: "equalised" }).first().click();
    await page.locator("tr[data-function='3']").click();
    assert.equal(await fragmentOf(page), "#view=functions&scale=equalised&group=2&function=3");
    await page.goBack();
    await page.waitForFunction(() => !document.querySelector("tr[data-function='3'][aria-selected='true']"));
    assert.equal(await fragmentOf(page), "#view=iterations&scale=equalised&group=2");
    await page.goBack();
    await page.waitForFunction(() => document.querySelector("input[value='linear']").checked);
    await page.goBack();
    await page.waitForFunction(() => !document.querySelector("[data-group][aria-selected='true']"));
    await page.goForward();
    await page.waitForFunction(() => document.querySelector("[data-group='2'][aria-selected='true']"));
  });

  onPages("a choice that is undone leaves the page where it is", async () => {
    const page = await open("group=1");
    await page.evaluate(() => document.querySelector("#functions").scrollIntoView());
    await page.click(".chosen-group button");
    assert.equal(await page.locator('[aria-selected="true"]').count(), 0);
    assert.ok(await page.evaluate(() => scrollY) > 500);
  });

  onPages("a bookmark opens what was chosen, and shows it", async () => {
    const page = await open("view=iterations&metric=waiting&rows=group&pool=average&scale=equalised&group=2&from=20&to=70");
    assert.ok(await isInSight(page, "#iterations h2"));
    assert.equal(await page.locator("#iterations select").inputValue(), "waiting");
    for (const value of ["group", "average", "equalised"]) {
      assert.ok(await page.locator(`#iterations input[value="${value}"]`).isChecked(), value);
    }
    assert.equal(await page.locator('[aria-label="first iteration"]').inputValue(), "20");
    assert.equal(await page.locator('[aria-label="last iteration"]').inputValue(), "69");
    assert.equal(await page.locator(".chosen-group select").inputValue(), "2");
  });

  onPages("what the address should not hold is as if it were not there", async () => {
    const page = await open("view=[x]&loop=99&metric=none&rows=all&scale=&group=77&function=-4&from=900000&to=1&matrix=no");
    assert.equal(await page.locator('[aria-selected="true"]').count(), 0);
    assert.ok(await page.locator('#iterations input[value="rank"]').isChecked());
    assert.ok((await readCanvas(page, mapOf("iterations"))).width > 0);
  });

  onPages("the headline leads to the picture", async () => {
    const page = await open("", { viewport: { width: 1280, height: 500 } });
    assert.equal(await isInSight(page, "#iterations h2"), false);
    await page.click(".finding a");
    await page.waitForFunction(() => document.querySelector("[data-group='0'][aria-selected='true']"));
    assert.ok(await isInSight(page, "#iterations h2"));
    await page.evaluate(() => scrollTo(0, 0));
    await page.click(".finding a");
    assert.ok(await isInSight(page, "#iterations h2"));
  });

  onPages("a link to the matrix may name its metric", async () => {
    const page = await open("view=matrix&metric=waiting");
    assert.ok(await isInSight(page, "#communication h2"));
    assert.equal(await page.locator("#communication select").inputValue(), "waiting");
    assert.equal(await page.locator("#iterations select").inputValue(), "computation time");
  });
});

describe("the chart of ranks", () => {
  onPages("is read by pointer and by keys, and chooses a group", async () => {
    const page = await open();
    const plot = page.locator(".plot");
    const readout = page.locator("#ranks .readout");
    const { width } = await plot.boundingBox();
    await plot.hover({ position: { x: ((21 + 0.5) / 64) * width, y: 50 } });
    assert.match(await readText(readout), /^rank 21: computation 2 s, other MPI 100 ms$/);
    await page.mouse.move(0, 0);
    await plot.focus();
    await page.keyboard.press("ArrowRight");
    assert.match(await readText(readout), /^rank 22: computation 1 s, waiting 1 s, other MPI 100 ms$/);
    await plot.click({ position: { x: 0.5 / 64 * width, y: 50 } });
    assert.equal(await page.locator(".chosen-group select").inputValue(), "3");
    assert.equal(await page.locator(".bar-marks .marked").getAttribute("d"), "M0,0h1");
  });
});

describe("the tree of calls", () => {
  const readRow = async (page, call) => (await page.locator(`[data-call="${call}"] span`).allTextContents()).slice(-2).map((text) => text.replaceAll("\u00a0", " "));
  onPages("has the times of all, or of the chosen group", async () => {
    const page = await open();
    await page.locator("button", { hasText: "Open all" }).click();
    assert.equal(await page.locator(".call:visible").count(), 3);
    // 36 + 24 + 3 + 1 processes with 6, 7, 8 and 9 s.
    assert.deepEqual(await readRow(page, 0), ["417 s", "97 s"]);
    await page.click(rowOfGroup(1));
    await waitUntilDrawn(page);
    assert.deepEqual(await readRow(page, 0), ["168 s", "48 s"]);
    assert.deepEqual(await readRow(page, 2), ["72 s", "72 s"]);
    assert.match(await page.locator("#calls .key").textContent(), /of edges/);
  });
});

describe("the timeline", () => {
  onPages("has colours that are seen on a dark page", async () => {
    const page = await open("", { colorScheme: "light" });
    const readLightness = () =>
      page.locator("#timeline .kinds li").evaluateAll((all) =>
        all.map((item) => item.style.getPropertyValue("--kind").match(/\d+/g).map(Number)).map((rgb) => (Math.max(...rgb) + Math.min(...rgb)) / 510));
    const light = await readLightness();
    await page.emulateMedia({ colorScheme: "dark" });
    await settle(page);
    const dark = await readLightness();
    dark.forEach((lightness, k) => assert.ok(lightness > 0.4 && lightness > light[k], `${lightness}`));
  });

  const hoverAt = async (page, share, row) => {
    const canvas = page.locator(mapOf("timeline"));
    const { width, height } = await canvas.boundingBox();
    await canvas.hover({ position: { x: share * width, y: ((row + 0.5) / 2) * height } });
    return readText(page.locator("#timeline .readout"));
  };

  onPages("is read, zoomed and moved", async () => {
    const page = await open();
    assert.match(await hoverAt(page, 0.2, 0), /^rank 0, at (2|1\.9\d) s: solve$/);
    assert.match(await hoverAt(page, 0.7, 1), /^rank 1, at (7|6\.9\d) s: MPI_Recv$/);
    assert.match(await hoverAt(page, 0.9, 0), /nothing is called$/);
    const whole = await readCanvas(page, mapOf("timeline"));
    await page.locator("#timeline button", { hasText: "Zoom in" }).click();
    assert.match(await hoverAt(page, 0, 0), /at 2\.5\d* s: solve$/);
    await page.locator(mapOf("timeline")).focus();
    await page.keyboard.press("ArrowLeft");
    assert.match(await hoverAt(page, 0, 0), /at 1\.5\d* s: solve$/);
    await page.locator("#timeline button", { hasText: "Whole run" }).click();
    await page.mouse.move(0, 0);
    assert.deepEqual((await readCanvas(page, mapOf("timeline"))).pixels, whole.pixels);
    assert.deepEqual(await page.locator("#timeline .kinds li").allTextContents(), ["solve", "MPI_Recv"]);
  });

  onPages("draws messages where these are wanted", async () => {
    const page = await open();
    const { pixels } = await readCanvas(page, mapOf("timeline"));
    await page.locator("#timeline input[type=checkbox]").uncheck();
    assert.notDeepEqual((await readCanvas(page, mapOf("timeline"))).pixels, pixels);
  });
});

describe("functions", () => {
  onPages("are searched, letter by letter in one step", async () => {
    const page = await open();
    await page.locator('#functions input[type="search"]').pressSequentially("mpi_");
    assert.deepEqual(await visibleFunctions(page), ["MPI_Waitall", "MPI_Allreduce", "MPI_Init"]);
    assert.match(await page.locator("#functions .key").first().textContent(), /^3 of 7/);
    assert.deepEqual(
      (await page.locator(".boxes text").allTextContents()).filter((text) => /_|solve/.test(text)),
      ["MPI_Waitall", "MPI_Allreduce", "MPI_Init"],
    );
    assert.equal(await page.evaluate(() => history.length), 2); // an empty page was before
  });

  onPages("are sorted, and chosen by function group", async () => {
    const page = await open();
    await page.locator("#functions label", { hasText: "name" }).click();
    assert.deepEqual((await visibleFunctions(page)).slice(0, 3), ["exchange_halo", "MPI_Allreduce", "MPI_Init"]);
    await page.locator("#functions label", { hasText: "visits" }).click();
    assert.equal((await visibleFunctions(page))[0], "read_input");
    await page.locator("#functions select").selectOption("MPI");
    assert.deepEqual(await visibleFunctions(page), ["MPI_Init", "MPI_Allreduce", "MPI_Waitall"]);
  });

  onPages("are sorted by what the chosen group does", async () => {
    const groupNames = ["a", "b", "c"];
    const page = await open("group=2", {}, writePage("own.html", makePage({ groupNames, ownFunction: true }).html));
    assert.equal((await visibleFunctions(page))[0], "read_input");
    assert.match(await readText(page.locator("#functions .key").first()), /^7 functions, sorted by the time of c$/);
    await page.click(".chosen-group button");
    await waitUntilDrawn(page);
    assert.equal((await visibleFunctions(page))[0], "solve");
  });

  onPages("one of them is shown by group", async () => {
    const page = await open();
    await page.click('tr[data-function="1"]');
    assert.match(await page.locator("#functions h3").nth(1).textContent(), /MPI_Waitall, by group/);
    assert.equal(await page.locator(".box").count(), 4);
    assert.match(
      await readText(page.locator(".box title").first()),
      /^inside of the grid: minimum 288 ms, quartiles 342 ms and 396 ms, median 360 ms, maximum 504 ms$/,
    );
    await page.locator(".box").nth(2).click();
    assert.equal(await page.locator(".chosen-group select").inputValue(), "2");
  });
});

describe("box plots", () => {
  const groupNames = ["a", "b", "c", "d", "e", "f", "stream"];
  let own;
  before(() => {
    own = writePage("own.html", makePage({ groupNames, ownFunction: true }).html);
  });
  const readTitles = async (page) => (await page.locator(".box title").allTextContents()).map((text) => text.split(":")[0]);

  onPages("are of the groups that call the function, those with most time first", async () => {
    const page = await open("search=read_input", {}, own);
    assert.deepEqual(await readTitles(page), ["read_input stream"]);
    await page.locator('#functions input[type="search"]').fill("solve");
    // The time of a process grows from group to group; a, too, has one process more than c to f.
    assert.deepEqual(await readTitles(page), ["solve f", " e", " d", " c"]);
    assert.match(await page.locator(".box").nth(3).textContent(), /^c \(2 groups more\)/);
    assert.match(await readText(page.locator("#functions .key").nth(2)), /at most 4 groups/);
  });

  onPages("of one function say how many groups are left out", async () => {
    const page = await open("function=6", {}, own);
    assert.deepEqual(await readTitles(page), ["stream"]);
    assert.match(await readText(page.locator("#functions .key").nth(2)), /^1 group of 7 calls it; the others are left out\./);
    await page.click("tr[data-function='0']");
    assert.deepEqual(await readTitles(page), ["f", "e", "d", "c", "b", "a"]);
  });

  onPages("say that the chosen group never calls it", async () => {
    const page = await open("group=6&search=solve", {}, own);
    assert.deepEqual(await readTitles(page), ["solve stream", " f", " e", " d"]);
    assert.match(await page.locator(".box").first().textContent(), /stream: never called/);
  });
});

describe("maps", () => {
  const many = { processes: 65536, iterations: 1000, slow: 40000, metrics: ["computation time"] };
  let large;
  before(() => {
    large = writePage("large.html", makePage(many).html);
  });

  // How bright a pixel is; viridis grows brighter with the value.
  const brightness = ({ pixels, width }, x, y) => {
    const at = 4 * (y * width + x);
    return 0.2126 * pixels[at] + 0.7152 * pixels[at + 1] + 0.0722 * pixels[at + 2];
  };
  // Rows or columns that are brighter than the usual one, all along.
  const findLines = (canvas, ofRows) => {
    const [count, length] = ofRows ? [canvas.height, canvas.width] : [canvas.width, canvas.height];
    const sums = Array.from({ length: count }, (_, k) => {
      let least = Infinity;
      for (let j = 0; j < length; j += 7) {
        least = Math.min(least, ofRows ? brightness(canvas, j, k) : brightness(canvas, k, j));
      }
      return least;
    });
    const usual = [...sums].sort((a, b) => a - b)[count >> 1];
    return sums.flatMap((sum, k) => (sum > usual + 20 ? [k] : []));
  };
  // Neighbours are one line.
  const countLines = (lines) => lines.filter((line, k) => line !== lines[k - 1] + 1).length;

  for (const [name, options] of Object.entries({
    "on a usual screen": {},
    "on a small one": { viewport: { width: 620, height: 800 } },
    "where three device pixels are two of CSS": { deviceScaleFactor: 1.5 },
    "on a fine one": { deviceScaleFactor: 2 },
  })) {
    onPages(`one slow process of 65,536 and every 50th iteration are seen ${name}`, async () => {
      const page = await open("", options, large);
      const canvas = await readCanvas(page, mapOf("iterations"));
      assert.ok(Math.abs(canvas.width - canvas.shown.width) < 0.1, "scaled by the browser");
      assert.ok(Math.abs(canvas.height - canvas.shown.height) < 0.1, "scaled by the browser");
      const rows = findLines(canvas, true);
      assert.equal(countLines(rows), 1);
      assert.ok(Math.abs(rows[0] / canvas.height - many.slow / many.processes) < 0.01);
      assert.equal(countLines(findLines(canvas, false)), many.iterations / 50);
    });
  }

  onPages("every 50th iteration is seen in the mean, too", async () => {
    const page = await open("pool=average", {}, large);
    assert.equal(countLines(findLines(await readCanvas(page, mapOf("iterations")), false)), 20);
  });

  onPages("rows by group, and of the chosen group alone, show the slow process", async () => {
    const page = await open("rows=group&group=0", {}, large);
    assert.equal(countLines(findLines(await readCanvas(page, mapOf("iterations")), true)), 1);
    const alone = page.locator(mapOf("iterations")).nth(1);
    assert.ok(await alone.isVisible());
  });

  onPages("colours are linear unless asked, and the legend says what they span", async () => {
    const page = await open();
    const legend = page.locator("#iterations .legend");
    assert.match(await readText(legend), /10 ms.*32\.\d ms.*Largest computation time in each pixel: colours span 10 ms to 32\.\d ms evenly/);
    // The noise of 2 % is in the lowest colours.
    const colours = new Set();
    const { pixels } = await readCanvas(page, mapOf("iterations"));
    for (let k = 0; k < pixels.length; k += 4) colours.add(pixels.readUInt32LE(k));
    assert.ok(colours.size < 12, `${colours.size} colours`);
    await page.locator("#iterations label", { hasText: "equalised" }).click();
    assert.match(await legend.textContent(), /each is used as often/);
    const equalised = await readCanvas(page, mapOf("iterations"));
    assert.notDeepEqual(equalised.pixels, pixels);
  });

  onPages("no row has a mark without its name", async () => {
    const page = await open();
    const [marks, names] = await page.locator('[data-view="iterations"] .map > svg').first().evaluate((svg) => [
      [...svg.querySelectorAll("path.tick")].map((path) => parseFloat(path.getAttribute("d").split(",")[1])),
      [...svg.querySelectorAll("text")].map((text) => parseFloat(text.getAttribute("y"))),
    ]);
    assert.ok(marks.length > 4);
    for (const mark of marks) assert.ok(names.some((name) => Math.abs(name - mark) < 6), `at ${mark}`);
  });

  onPages("a value is read by pointer and by keys", async () => {
    const page = await open();
    const canvas = page.locator(mapOf("iterations")).first();
    const readout = page.locator("#iterations .readout");
    const box = await canvas.boundingBox();
    await canvas.hover({ position: { x: ((49 + 0.5) / 200) * box.width, y: ((21 + 0.5) / 64) * box.height } });
    assert.match(await readText(readout), /^rank 21, iteration 49: computation time about 32\.\d ms/);
    await page.mouse.move(0, 0);
    await canvas.focus();
    for (let k = 0; k < 3; ++k) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowLeft");
    assert.match(await readText(readout), /^rank 24, iteration 48: computation time about 10(\.\d+)? ms/);
  });

  onPages("noise is nearly of one colour, unless colours are equalised", async () => {
    const alike = writePage("alike.html", makePage({ slow: -1, period: 1000 }).html);
    const spanOf = async (fragment) => {
      const page = await open(fragment, {}, alike);
      const brightness = readBrightness(await readCanvas(page, mapOf("iterations")), 64, 200);
      return Math.max(...brightness) - Math.min(...brightness);
    };
    const linear = await spanOf("");
    assert.ok(linear < 12, `brightness differs by ${linear}`);
    assert.ok((await spanOf("scale=equalised")) > 150);
  });

  onPages("what is brushed is shown alone", async () => {
    const page = await open();
    await page.locator(".graph").scrollIntoViewIfNeeded();
    const overlay = await page.locator(".brush .overlay").boundingBox();
    await page.mouse.move(overlay.x + overlay.width * 0.3, overlay.y + 40);
    await page.mouse.down();
    await page.mouse.move(overlay.x + overlay.width * 0.6, overlay.y + 40, { steps: 4 });
    await page.mouse.up();
    assert.match(await fragmentOf(page), /from=(59|60)&to=1(20|21)/);
    assert.equal(countLines(findLines(await readCanvas(page, mapOf("iterations")), false)), 1);
    await page.locator("#iterations button", { hasText: "all" }).click();
    assert.equal(await page.locator('[aria-label="last iteration"]').inputValue(), "199");
  });

  test("time to draw 1,000 × 1,000 cells", async () => {
    const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
    const [drawn, redrawn] = [[], []];
    for (let k = 0; k < 5; ++k) {
      const { page, close } = await openPage(browser, large);
      drawn.push(await page.evaluate(() => performance.now()));
      redrawn.push(await page.evaluate(() => {
        const begin = performance.now();
        document.querySelector('#iterations input[value="average"]').click();
        return performance.now() - begin;
      }));
      await close();
    }
    console.log(`drawn within ${Math.round(median(drawn))} ms, redrawn within ${Math.round(median(redrawn))} ms`);
  });
});

describe("readers", () => {
  onPages("keys reach all that can be clicked", async () => {
    const page = await open("group=1&function=2");
    const reached = new Set();
    for (let k = 0; k < 120; ++k) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => {
        const element = document.activeElement;
        const all = [...document.querySelectorAll("*")];
        return element === document.body ? -1 : all.indexOf(element);
      }));
    }
    const missing = await page.evaluate((indices) => {
      const all = [...document.querySelectorAll("*")];
      const wanted = "a[href], button:enabled, select, input:not([type=radio]), input:checked, canvas, tr[data-group], tr[data-function], g.box, summary, .poset [tabindex='0']";
      return [...document.querySelectorAll(wanted)]
        .filter((element) => element.checkVisibility() && element.getClientRects().length > 0 && !indices.includes(all.indexOf(element)))
        .map((element) => element.outerHTML.slice(0, 80));
    }, [...reached]);
    assert.deepEqual(missing, []);
  });

  onPages("keys choose a group, and go through the lattice", async () => {
    const page = await open();
    await page.focus(rowOfGroup(2));
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".chosen-group select").inputValue(), "2");
    await page.locator('.poset [tabindex="0"]').focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".chosen-group select").inputValue(), "1");
    assert.match(await page.locator("#structure [data-view=poset] .readout").textContent(), /^edges: 24 processes/);
  });

  onPages("a process on the grid is named with its group, and a click chooses that", async () => {
    const page = await open();
    const grid = page.locator("[data-view=grid]");
    const canvas = grid.locator("canvas");
    const { width, height } = await canvas.evaluate((of) => of.getBoundingClientRect());
    assert.deepEqual([width, height], [208, 208]);
    const at = (row, column) => ({ x: 26 * column + 13, y: 26 * row + 13 });
    await canvas.hover({ position: at(0, 0) });
    assert.equal(await grid.locator(".readout").textContent(), "(0, 0) rank 0: rank 0, which writes; main cluster 0, sub-cluster 3");
    await canvas.hover({ position: at(7, 2) });
    assert.equal(await grid.locator(".readout").textContent(), "(7, 2) rank 58: edges; main cluster 0, sub-cluster 1");

    const colourAt = async (row, column) => {
      const { width: pixels, pixels: colours } = await readCanvas(page, "[data-view=grid] canvas");
      const { x, y } = at(row, column);
      return [...colours.subarray(4 * (y * pixels + x), 4 * (y * pixels + x) + 4)];
    };
    assert.deepEqual(await colourAt(0, 0), [0xcc, 0x79, 0xa7, 255]);
    assert.deepEqual(await colourAt(7, 2), [0xe6, 0x9f, 0x00, 255]);
    assert.equal(await page.locator(`${rowOfGroup(1)} .hue`).evaluate((of) => getComputedStyle(of).backgroundColor), "rgb(230, 159, 0)");
    await canvas.click({ position: at(7, 2) });
    assert.equal(await fragmentOf(page), "#group=1");
    assert.equal((await colourAt(7, 2))[3], 255);
    assert.ok((await colourAt(0, 0))[3] < 100, "others fade");
  });

  onPages("of very many processes the grid shows the one of another group", async () => {
    const many = writePage("grid.html", makePage({ processes: 102_400, iterations: 1 }).html);
    const page = await open("", {}, many);
    const { width, pixels } = await readCanvas(page, "[data-view=grid] canvas");
    assert.ok(width <= 440);
    assert.deepEqual([...pixels.subarray(0, 4)], [0xcc, 0x79, 0xa7, 255]);
  });

  onPages("the lattice is searched for functions and processes", async () => {
    const page = await open();
    const search = page.locator("[data-view=poset] input[type=search]");
    const found = () => page.locator(".node.found > text").allTextContents();
    await search.fill("allreduce");
    assert.deepEqual(await found(), ["MPI_Allreduce, solve"]);
    assert.equal(await page.locator(".node.faint").count(), 4);
    assert.equal(await fragmentOf(page), "#view=poset&boxes=allreduce");
    assert.match(await page.locator("[data-view=poset] .controls").textContent(), /in 1 of 5 boxes/);
    for (const name of ["rank 1", "1"]) {
      await search.fill(name);
      assert.deepEqual(await found(), ["edges"]);
    }
    await search.fill("nobody");
    assert.equal(await page.locator(".node.faint").count(), 5);
    await search.fill("");
    assert.equal(await page.locator(".node.found, .node.faint").count(), 0);
  });

  onPages("kinds of iterations are those of the loop that is shown", async () => {
    const page = await open();
    assert.deepEqual(await page.locator("figure[data-kinds]:visible").evaluateAll((of) => of.map((one) => one.dataset.kinds)), ["0"]);
  });

  onPages("names of efficiencies are broken between words only", async () => {
    for (const width of [1000, 1100, 1280]) {
      const page = await open("", { viewport: { width, height: 800 } });
      const broken = await page.locator(".efficiency .name").evaluateAll((names) =>
        names.flatMap((name) => {
          const text = name.lastChild;
          return [...text.data.matchAll(/\S+/g)].filter(({ 0: word, index }) => {
            const range = new Range();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            return range.getClientRects().length > 1;
          }).map(([word]) => word);
        }));
      assert.deepEqual(broken, [], `${width} pixels`);
    }
  });

  onPages("the lattice is zoomed by buttons", async () => {
    const page = await open();
    const transform = () => page.locator(".poset > g").getAttribute("transform");
    const first = await transform();
    await page.locator("#structure button", { hasText: "Zoom in" }).click();
    assert.notEqual(await transform(), first);
    await page.locator("button", { hasText: "Whole drawing" }).click();
    assert.equal(await transform(), first);
  });

  for (const colorScheme of ["light", "dark"]) {
    onPages(`text is readable on a ${colorScheme} page`, async () => {
      const page = await open("group=1", { colorScheme });
      const contrasts = await page.evaluate(() => {
        const parse = (text) => text.match(/[\d.]+/g).map(Number);
        const light = ([r, g, b]) => {
          const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * x + 0.7152 * y + 0.0722 * z;
        };
        const backOf = (element) => {
          for (let at = element; at !== null; at = at.parentElement) {
            const colour = parse(getComputedStyle(at).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
          }
          return [255, 255, 255];
        };
        const texts = document.querySelectorAll("h1, .finding a, .fold, .efficiency span, .call span, th, td, #bar a, .unknown, .key, .choice span, select, .readout, .view svg text");
        return [...texts].map((element) => {
          const style = getComputedStyle(element);
          const isDrawn = element instanceof SVGElement;
          const [a, b] = [light(parse(isDrawn ? style.fill : style.color)), light(backOf(element))];
          return { of: element.outerHTML.slice(0, 60), contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
        });
      });
      assert.ok(contrasts.length > 100);
      assert.deepEqual(contrasts.filter(({ contrast }) => contrast < 4.5), []);
      const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(back === "rgb(255, 255, 255)", colorScheme === "light");
    });
  }

  onPages("without scripts, what stands in the page is read", async () => {
    const page = await open("", { javaScriptEnabled: false });
    assert.match(await page.locator("h1").textContent(), /made/);
    assert.ok(await page.locator(".efficiency").first().isVisible());
    assert.ok(await page.locator(".plot path").first().isVisible());
    assert.equal(await page.locator(".call:visible").count(), 1);
    await page.locator("summary.call").first().click();
    assert.equal(await page.locator(".call:visible").count(), 2);
    assert.ok(!(await page.locator(".about").first().isVisible()));
    await page.locator(".efficiency").first().hover();
    assert.ok(await page.locator(".about").first().isVisible());
    assert.equal(await page.locator("tr[data-group]:visible").count(), 4);
    assert.equal(await page.locator("tr[data-function]:visible").count(), 7);
    assert.equal(await page.locator(".view:visible").count(), 0);
  });

  onPages("a touch says what an efficiency is", async () => {
    const page = await open("", { hasTouch: true, viewport: { width: 390, height: 844 } });
    await page.locator(".efficiency").nth(1).tap();
    assert.match(await page.locator(".about:visible").textContent(), /load balance/);
  });

  onPages("on a phone rows are cards, whose cells have the names of their columns", async () => {
    const page = await open("", { viewport: { width: 390, height: 844 } });
    const boxes = await page.locator("#functions table, #functions tr:visible, #functions td:visible").evaluateAll((all) =>
      all.map((element) => element.getBoundingClientRect()).map(({ left, right }) => left >= 0 && right <= innerWidth));
    assert.ok(boxes.length > 10 && boxes.every((isInside) => isInside));
    assert.equal(await page.locator("thead:visible").count(), 0);
    const head = (selector) => page.locator(selector).first().evaluate((cell) => getComputedStyle(cell, "::before").content);
    assert.equal(await head("tr[data-wait] td:not(.of-group)"), '"waiting"');
    await page.locator(rowOfGroup(1)).click();
    assert.equal(await head("tr[data-wait] .of-group"), '"waiting of edges"');
    assert.ok((await page.locator("#headline .finding").boundingBox()).height < 4.2 * 13.5 * 1.5 * 1.3);
  });

  onPages("it is printed on a few pages, at the resolution of paper", async () => {
    const page = await open("group=1");
    await page.evaluate(() => {
      addEventListener("beforeprint", () => {
        const canvas = document.querySelector("canvas");
        document.documentElement.dataset.printed = `${canvas.width} ${canvas.style.width}`;
      });
    });
    const before = await readCanvas(page, mapOf("iterations"));
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const pages = countPages(pdf);
    assert.ok(pages >= 2 && pages <= 6, `${pages} pages`);
    const [dots, width] = await page.evaluate(() => document.documentElement.dataset.printed.split(" "));
    assert.ok(Math.abs(Number(dots) - 2 * parseFloat(width)) < 0.1);
    await settle(page);
    assert.deepEqual(await readCanvas(page, mapOf("iterations")), before);
  });

  onPages("of a long table the first rows are printed, and how many more there are", async () => {
    const functionNames = Array.from({ length: 200 }, (_, k) => `function_${k}`);
    const page = await open("", {}, writePage("long.html", makePage({ functionNames }).html));
    assert.equal(await page.locator(".paper:visible").count(), 0);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    assert.ok(countPages(pdf) <= 6, `${countPages(pdf)} pages`);

    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator("tr[data-function]:visible").count(), 20);
    assert.equal(await page.locator(".paper:visible").textContent(), "180 more rows are in the file of this page.");
    await page.locator('#functions input[type="search"]').evaluate((input) => {
      input.value = "function_11";
      input.dispatchEvent(new Event("input"));
    });
    assert.deepEqual(await visibleFunctions(page), ["function_11", ...functionNames.slice(110, 120)]);
    assert.equal(await page.locator(".paper").textContent(), "");
  });

  onPages("hostile names do nothing", async () => {
    // What is not seen are symbols in what the program writes.
    const hostile = ['<img src=x onerror="alert(1)">', "</script><script>alert(2)</script>", "⟨U+202E⟩gnp.exe␇", "a".repeat(5000)];
    const made = makePage({ groupNames: hostile, functionNames: [...hostile, "MPI_Send", "__proto__"] });
    const page = await open("group=1", {}, writePage("hostile.html", made.html));
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.locator("script:not([type])").count(), 1);
    const drawn = await page.locator(".view").allTextContents();
    assert.match(drawn.join(), /⟨U\+202E⟩gnp\.exe␇/);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.locator("#functions select").selectOption("computation");
    await page.locator('#functions input[type="search"]').fill("__proto__");
    assert.equal(await page.locator("tr[data-function]:visible").count(), 1);
  });
});

describe("pictures", () => {
  // Maps hold no text, so that they are alike on all machines; edges of cells may be a pixel apart.
  const wanted = {
    iterations: ["", mapOf("iterations")],
    equalised: ["rows=group&scale=equalised&group=1", mapOf("iterations")],
    matrix: ["matrix=bytes", mapOf("matrix")],
    similarity: ["", mapOf("similarity")],
  };
  for (const [name, [fragment, selector]] of Object.entries(wanted)) {
    onPages(`the map ${name} is as it was`, async () => {
      const page = await open(fragment);
      const made = Buffer.from(
        await page.locator(selector).first().evaluate((canvas) => canvas.toDataURL().split(",")[1]),
        "base64",
      );
      const stored = path.join(pictures, `${name}.png`);
      if (process.env.UPDATE === "1" || !existsSync(stored)) {
        assert.equal(process.env.UPDATE, "1", `${stored} is missing`);
        mkdirSync(pictures, { recursive: true });
        writeFileSync(stored, made);
      }
      assert.ok((await comparePictures(browser, made, readFileSync(stored))) < 0.01);
    });
  }
});
