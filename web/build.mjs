// Bundles the scripts and the style of the report into dist/, and writes the licences of what is
// bundled. The same sources and the same package-lock.json give the same bytes.
//
// usage: node build.mjs [FOLDER]     dist without one

import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = path.resolve(process.argv[2] ?? path.join(here, "dist"));

const result = await build({
  absWorkingDir: here,
  entryPoints: [
    { in: "src/main.ts", out: "report" },
    { in: "src/report.css", out: "report" },
  ],
  outdir: folder,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  write: true,
  logLevel: "warning",
});

// The text between <script> and </script> ends with the first "</script".
for (const name of ["report.js", "report.css"]) {
  const text = readFileSync(path.join(folder, name), "utf8");
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${name} would end its element`);
}

mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, "notice.txt"), writeNotice(findPackages(result.metafile)));

function findPackages(metafile) {
  const names = Object.values(metafile.outputs)
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([input]) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1])
    .filter((name) => name !== undefined);
  if (names.length === 0) throw new Error("whose licences belong to it cannot be told: node_modules must be a folder here");
  return [...new Set(names)].sort();
}

function writeNotice(names) {
  // Most of them have the same licence, but for years: each text stands once.
  const packagesOf = new Map();
  for (const name of names) {
    const root = path.join(here, "node_modules", name);
    const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
    const file = readdirSync(root).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    if (file === undefined || !existsSync(path.join(root, file))) throw new Error(`${name} has no licence`);
    const text = readFileSync(path.join(root, file), "utf8").replace(/\r/g, "").trim();
    packagesOf.set(text, [...(packagesOf.get(text) ?? []), `${name} ${version}`]);
  }
  return [...packagesOf].map(([text, packages]) => `${packages.join(", ")}\n\n${text}\n`).join("\n\n");
}
