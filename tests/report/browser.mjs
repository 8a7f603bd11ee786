// Debian's Chromium, driven by playwright-core of web/node_modules.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";

const here = path.dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(path.join(here, "../../web/package.json"))("playwright-core");

export const folder = mkdtempSync(path.join(tmpdir(), "report-"));

// Root may not use the sandbox; nothing is fetched from anywhere.
export async function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--disable-quic", "--force-color-profile=srgb"],
  });
}

export function writePage(name, html) {
  const file = path.join(folder, name);
  writeFileSync(file, html);
  return file;
}

export function removeFolder() {
  rmSync(folder, { recursive: true });
}

// What is out of sight is drawn when the browser has nothing else to do.
export async function waitUntilDrawn(page) {
  await page.waitForFunction(() => document.documentElement.dataset.drawn === "true", undefined, { timeout: 30000 });
}

// Opens a page and waits until all is drawn. `complaints` gets whatever the browser does not like.
export async function openPage(browser, file, fragment = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(`file://${file}${fragment && "#"}${fragment}`);
  if (options.javaScriptEnabled !== false) {
    await waitUntilDrawn(page);
  }
  return { page, complaints, close: () => context.close() };
}

// What a page holds besides its HTML: the object, and a function that reads a column.
export function readData(file) {
  const html = readFileSync(file, "utf8");
  const textOf = (id) => html.match(new RegExp(`<script[^>]*id="${id}"[^>]*>([^<]*)<`))[1];
  const bytes = inflateSync(Buffer.from(textOf("report-columns"), "base64"));
  const types = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array };
  const read = ({ at, length, type }) => {
    const size = length * types[type].BYTES_PER_ELEMENT;
    return new types[type](bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + size));
  };
  return { data: JSON.parse(textOf("report-data")), read };
}

// The mean brightness of each of `rows` × `columns` equal parts of a canvas, from 0 to 255, row by row.
export function readBrightness({ width, height, pixels }, rows, columns) {
  const [sums, counts] = [0, 0].map(() => new Float64Array(rows * columns));
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const k = 4 * (y * width + x);
      if (pixels[k + 3] === 0) continue;
      const part = Math.floor((y * rows) / height) * columns + Math.floor((x * columns) / width);
      sums[part] += 0.2126 * pixels[k] + 0.7152 * pixels[k + 1] + 0.0722 * pixels[k + 2];
      ++counts[part];
    }
  }
  return sums.map((sum, part) => sum / counts[part]);
}

export function countPages(pdf) {
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
}

// The pixels of a canvas as its script has drawn them, and how large the browser shows it.
export async function readCanvas(page, selector) {
  const read = await page.locator(selector).first().evaluate((canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const box = canvas.getBoundingClientRect();
    let text = "";
    for (let k = 0; k < data.length; k += 8192) text += String.fromCharCode(...data.subarray(k, k + 8192));
    return {
      width: canvas.width,
      height: canvas.height,
      shown: { width: box.width * devicePixelRatio, height: box.height * devicePixelRatio },
      pixels: btoa(text),
    };
  });
  return { ...read, pixels: Buffer.from(read.pixels, "base64") };
}

// Compares a picture (PNG) with a stored one, in the browser: the share of pixels in which a
// colour differs by more than `step` of 255. Pictures of other sizes have nothing in common.
export async function comparePictures(browser, made, stored, step = 24) {
  const page = await browser.newPage();
  const share = await page.evaluate(
    async ([first, second, most]) => {
      const read = async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const canvas = new OffscreenCanvas(picture.width, picture.height);
        const context = canvas.getContext("2d");
        context.drawImage(picture, 0, 0);
        return context.getImageData(0, 0, picture.width, picture.height);
      };
      const [a, b] = [await read(first), await read(second)];
      if (a.width !== b.width || a.height !== b.height) return 1;
      let different = 0;
      for (let k = 0; k < a.data.length; k += 4) {
        if ([0, 1, 2].some((channel) => Math.abs(a.data[k + channel] - b.data[k + channel]) > most)) ++different;
      }
      return different / (a.width * a.height);
    },
    [made.toString("base64"), stored.toString("base64"), step],
  );
  await page.close();
  return share;
}
