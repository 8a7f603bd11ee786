// What pages that the program writes do in a browser: PAGES is a folder that make_pages.py filled.
//
// usage: PAGES=FOLDER node --test tests/report/pages_test.mjs

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";

import { launch, openPage, readCanvas, removeFolder } from "./browser.mjs";

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

describe("a planted cause", () => {
  for (const file of listPages("causes")) {
    const name = path.basename(file, ".html");
    test(`${name} is on the first screen, and seen where the headline leads`, () =>
      withPage(file, async (page) => {
        for (const selector of [".finding", ".fold", ".tile"]) {
          const { top, bottom, height } = await findBox(page, selector);
          assert.ok(top >= 0 && bottom <= height, `${selector} is not on the first screen`);
        }
        await page.click("#headline .finding a");
        await page.waitForFunction(() => document.querySelector("#bar").getBoundingClientRect().top < 50);
        const view = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1)).get("view");
        if (view === null) return; // a section without scripts
        const { top, height } = await findBox(page, `[data-view="${view}"]`);
        assert.ok(top >= 0 && top < height / 2, `${view} is not in sight`);
        const isMap = (await page.locator(`[data-view="${view}"] canvas`).count()) > 0;
        if (!isMap) {
          assert.ok((await page.locator(`[data-view="${view}"] .box`).count()) > 0);
        } else if (name !== "balanced") {
          assert.ok(showsDifference(await readCanvas(page, `[data-view="${view}"] canvas`)));
        }
      }));
  }
});

describe("a page of a made trace", () => {
  for (const file of listPages(".")) {
    const name = path.basename(file, ".html");
    test(`${name} is drawn, light, dark and narrow, and printed`, async () => {
      for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 480, height: 900 } }]) {
        await withPage(file, async (page) => {
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
          for (const view of await page.locator("[data-view]").all()) {
            assert.ok((await view.locator("canvas, svg").count()) > 0, await view.getAttribute("data-view"));
          }
          for (const canvas of await page.locator("canvas:visible").all()) {
            const [dots, shown] = await canvas.evaluate((of) => [of.width, of.getBoundingClientRect().width * devicePixelRatio]);
            assert.ok(Math.abs(dots - shown) < 0.1);
          }
        }, options);
      }
      await withPage(file, async (page) => {
        const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
        const pages = pdf.match(/\/Type\s*\/Page\b/g).length;
        assert.ok(pages <= 12, `${pages} pages`);
      });
    });

    test(`${name}: every group and function is chosen`, () =>
      withPage(file, async (page) => {
        for (const kind of ["group", "function"]) {
          for (const row of (await page.locator(`tr[data-${kind}]`).all()).slice(0, 12)) {
            await row.click({ position: { x: 8, y: 8 } });
            assert.equal(await row.getAttribute("aria-selected"), "true");
          }
        }
        await page.goBack();
        await page.goBack();
      }));
  }

  for (const name of ["many", "threads", "few"]) {
    test(`${name} has the numbers of summary`, () =>
      withPage(path.join(folder, `${name}.html`), async (page) => {
        const summary = JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8"));
        const sentence = await page.locator("#headline .finding").textContent();
        assert.equal(sentence.trim().toLowerCase(), summary.headline[0].trim().toLowerCase());
        for (const tile of await page.locator(".tile[data-efficiency]").all()) {
          const expected = summary.efficiencies[await tile.getAttribute("data-efficiency")];
          const shown = await tile.locator(".value").textContent();
          if (expected === null || expected === undefined) assert.equal(shown, "not known");
          else assert.ok(Math.abs(parseFloat(shown) / 100 - expected) <= 0.0051, `${shown}, ${expected}`);
        }
      }));
  }
});
