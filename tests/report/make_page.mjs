// Makes pages as the program writes them, with numbers that are known: a program of a grid whose
// process `slow` (-1: none) computes longer, and whose every `period`-th iteration takes longer. The scripts
// are tested on these without building the program; tests of whole pages use real ones.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";

const dist = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../web/dist");
const mostCells = 1000;
const topLevel = 63;
const mostPrintedRows = 20; // of a table
const types = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array };

class Columns {
  bytes = [];
  size = 0;

  add(type, values) {
    const column = { at: this.size, length: values.length, type };
    const bytes = Buffer.from(types[type].from(values).buffer);
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
    this.bytes.push(bytes, padding);
    this.size += bytes.length + padding.length;
    return column;
  }

  pack() {
    return deflateSync(Buffer.concat(this.bytes)).toString("base64");
  }
}

// Equal numbers for equal places, in 0 … 1.
function noise(a, b) {
  const mixed = Math.imul(Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b), 0xc2b2ae35);
  return (mixed >>> 8) / 0x1000000;
}

const defaults = {
  processes: 64,
  iterations: 200,
  slow: 21,
  period: 50,
  metrics: ["computation time", "waiting"],
  groupNames: undefined,
  functionNames: undefined,
  ownFunction: false, // whether a group does something that no other one does
};

export function makePage(options = {}) {
  const given = { ...defaults, ...options };
  const columns = new Columns();
  const groups = makeGroups(given);
  const groupOf = findGroups(given, groups.length);
  groups.forEach((group, k) => {
    group.members = groupOf.filter((of) => of === k).length;
    group.representatives = [groupOf.indexOf(k)];
  });
  const report = {
    version: 1,
    trace: "made/traces.otf2",
    processes: given.processes,
    rank: columns.add("u32", Array.from({ length: given.processes }, (_, k) => k)),
    groupOf: columns.add("u16", groupOf),
    groups,
    loops: [makeLoop(given, columns, groupOf)],
    ranks: makeRanks(given, columns),
    waits: makeWaits(columns, groups),
    functions: makeFunctions(given, columns, groups),
    calls: makeCalls(columns, groups),
    timeline: makeTimeline(columns),
    matrix: makeMatrix(given, columns, groupOf),
    similarity: makeSimilarity(columns, groups),
    poset: makePoset(groups),
    grid: makeGrid(given, columns, groups, groupOf),
  };
  return { html: writeHtml(report, columns.pack()), report };
}

function makeGroups({ groupNames }) {
  const names = groupNames ?? ["inside of the grid", "edges", "corners", "rank 0, which writes"];
  return names.map((name) => ({ name, members: 0, representatives: [] }));
}

function findGroups({ processes, slow }, count) {
  const side = Math.ceil(Math.sqrt(processes));
  if (count > 4) return Array.from({ length: processes }, (_, k) => k % count);
  return Array.from({ length: processes }, (_, k) => {
    if (k === 0) return Math.min(3, count - 1);
    if (k === slow) return 0;
    const [x, y] = [k % side, Math.floor(k / side)];
    return Math.min(count - 1, (x % (side - 1) === 0 ? 1 : 0) + (y % (side - 1) === 0 ? 1 : 0));
  });
}

// Seconds of computation of a process in an iteration.
export function computation({ slow, period }, process, iteration) {
  const often = (iteration + 1) % period === 0 ? 1.6 : 1;
  return 0.01 * (process === slow ? 2 : 1) * often * (1 + 0.02 * noise(process, iteration));
}

function makeLoop(given, columns, groupOf) {
  const kept = Array.from({ length: 8 }, (_, k) => Math.floor(((k + 0.5) * given.iterations) / 8));
  const waiting = (process, iteration) => 0.021 - computation(given, process, iteration) / 1.6;
  return {
    name: "main > solve",
    number: 0,
    iterations: given.iterations,
    kept,
    maps: given.metrics.map((metric) =>
      makeMap(metric, given, columns, groupOf, metric === "waiting" ? waiting : (p, i) => computation(given, p, i)),
    ),
  };
}

function makeMap(metric, { processes, iterations }, columns, groupOf, valueOf) {
  const perColumn = Math.ceil(iterations / mostCells);
  const count = Math.ceil(iterations / perColumn);
  const [minimum, mean, maximum] = [0, 0, 0].map(() => new Float32Array(count));
  minimum.fill(Infinity);
  const inColumn = Array.from({ length: count }, (_, c) => Math.min(perColumn, iterations - c * perColumn));
  for (let process = 0; process < processes; ++process) {
    for (let iteration = 0; iteration < iterations; ++iteration) {
      const c = Math.floor(iteration / perColumn);
      const value = valueOf(process, iteration);
      minimum[c] = Math.min(minimum[c], value);
      maximum[c] = Math.max(maximum[c], value);
      mean[c] += value / (inColumn[c] * processes);
    }
  }
  const byRank = Array.from({ length: processes }, (_, k) => k);
  const byGroup = [...byRank].sort((a, b) => groupOf[a] - groupOf[b] || a - b);
  const pool = (order, parts) => poolRows({ order, parts, iterations, perColumn, count, valueOf }, columns);
  return {
    metric,
    label: metric,
    unit: "s",
    perColumn,
    columns: count,
    minimum: columns.add("f32", minimum),
    mean: columns.add("f32", mean),
    maximum: columns.add("f32", maximum),
    byRank: pool(byRank, () => 0),
    byGroup: pool(byGroup, (process) => groupOf[process]),
  };
}

// `parts` tells which processes may not be in one row.
function poolRows({ order, parts, iterations, perColumn, count, valueOf }, columns) {
  const most = order.length <= mostCells ? 1 : Math.ceil(order.length / (mostCells - 8));
  const first = [];
  order.forEach((process, place) => {
    const last = first[first.length - 1];
    if (last === undefined || place - last === most || parts(order[last]) !== parts(process)) first.push(place);
  });
  const [largest, sums] = [0, 0].map(() => new Float32Array(first.length * count));
  first.forEach((from, row) => {
    const end = first[row + 1] ?? order.length;
    for (let place = from; place < end; ++place) {
      for (let iteration = 0; iteration < iterations; ++iteration) {
        const cell = row * count + Math.floor(iteration / perColumn);
        const value = valueOf(order[place], iteration);
        largest[cell] = Math.max(largest[cell], value);
        sums[cell] += value / ((end - from) * perColumn);
      }
    }
  });
  const isSingle = most === 1 && perColumn === 1;
  const levels = makeLevels(columns, largest);
  return {
    rows: first.length,
    firstOfRow: columns.add("u32", first),
    order: columns.add("u32", order),
    largest: levels,
    average: isSingle ? levels : makeLevels(columns, sums),
  };
}

function makeLevels(columns, values) {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity);
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity);
  const cells = Uint8Array.from(values, (value) => Math.round(((value - low) / (high - low)) * topLevel));
  return { cells: columns.add("u8", cells), low, high };
}

const mostBars = 1000;

// A rank computes, and waits as long as the slow one computes longer. With more than a thousand each
// bar is of the rank that computes longest.
function makeRanks(given, columns) {
  const perBar = Math.ceil(given.processes / mostBars);
  const processes = [];
  for (let first = 0; first < given.processes; first += perBar) {
    processes.push(given.slow >= first && given.slow < first + perBar ? given.slow : first);
  }
  return {
    kinds: ["computation", "waiting", "other MPI"],
    perBar,
    processes: columns.add("u32", processes),
    seconds: columns.add("f32", processes.flatMap((process) => (process === given.slow ? [2, 0, 0.1] : [1, 1, 0.1]))),
  };
}

// main calls solve, which calls MPI_Waitall; a process of group g takes 1 + g s, 2 s and 3 s in these.
const callNames = ["main", "solve", "MPI_Waitall"];
function makeCalls(columns, groups) {
  const byGroup = (timeOf) => callNames.flatMap((_, call) => groups.map((group, g) => group.members * timeOf(call, g)));
  const exclusive = byGroup((call, g) => (call === 0 ? 1 + g : call + 1));
  const inclusive = byGroup((call, g) => [6 + g, 5, 3][call]);
  const sum = (values) => callNames.map((_, call) => groups.reduce((all, _, g) => all + values[call * groups.length + g], 0));
  return {
    inclusive: columns.add("f32", sum(inclusive)),
    exclusive: columns.add("f32", sum(exclusive)),
    groupInclusive: columns.add("f32", inclusive),
    groupExclusive: columns.add("f32", exclusive),
  };
}

// Of 10 s, rank 0 solves for 8, and rank 1 for 6, until it receives a message at 8 s.
function makeTimeline(columns) {
  const functionAt = (row, share) => (share >= 0.8 ? 255 : row === 1 && share >= 0.6 ? 1 : 0);
  return {
    rows: ["rank 0", "rank 1"],
    seconds: 10,
    names: ["solve", "MPI_Recv"],
    kinds: ["computation", "mpi"],
    levels: [16000, 4000, 1000].map((cells) => ({
      cells,
      functions: columns.add("u8", [0, 1].flatMap((row) => Array.from({ length: cells }, (_, cell) => functionAt(row, cell / cells)))),
    })),
    from: columns.add("u8", [0]),
    to: columns.add("u8", [1]),
    sent: columns.add("f32", [7.5]),
    received: columns.add("f32", [8]),
    allMessages: 1,
  };
}

const waitingCalls = ["MPI_Waitall", "MPI_Allreduce"];

// A process waits 10 ms in the first call and 20 ms in the second one; the last group never waits.
function makeWaits(columns, groups) {
  const waiting = (call, g) => (g === groups.length - 1 ? 0 : 0.01 * (call + 1) * groups[g].members);
  return {
    groupTotal: columns.add("f32", groups.map((_, g) => waiting(0, g) + waiting(1, g))),
    groupOfCall: columns.add("f32", waitingCalls.flatMap((_, call) => groups.map((_, g) => waiting(call, g)))),
  };
}

function makeFunctions({ functionNames, ownFunction }, columns, groups) {
  const names = functionNames ?? ["solve", "MPI_Waitall", "exchange_halo", "MPI_Allreduce", "write_output", "MPI_Init", "read_input"];
  // The last function is of the last group alone, and its processes do nothing else of note.
  const isCalled = ownFunction ? (f, g) => (f === names.length - 1) === (g === groups.length - 1) : () => true;
  const time = (f, g) => (isCalled(f, g) ? (names.length - f) ** 2 * 0.01 * (1 + 0.2 * g) : 0);
  const byGroup = (of) => columns.add("f32", names.flatMap((_, f) => groups.map((group, g) => group.members * of(f, g))));
  return {
    unit: "s",
    names,
    classes: names.map((name) => (name.startsWith("MPI_") ? "MPI" : "computation")),
    total: columns.add("f32", names.map((_, f) => groups.reduce((sum, group, g) => sum + group.members * time(f, g), 0))),
    visits: columns.add("f32", names.map((_, f) => 100 + f * 10)),
    boxes: columns.add("f32", names.flatMap((_, f) =>
      groups.flatMap((_, g) => [0.8, 0.95, 1, 1.1, 1.4].map((factor) => factor * time(f, g))))),
    groupTotal: byGroup(time),
    groupVisits: byGroup((f, g) => (isCalled(f, g) ? 2 + f : 0)),
  };
}

function makeMatrix({ processes }, columns, groupOf) {
  const size = Math.min(processes, 64);
  const values = new Float32Array(size * size);
  for (let row = 0; row < size; ++row) {
    for (const step of [1, 8]) {
      if (row + step < size) values[row * size + row + step] = values[(row + step) * size + row] = 100 + row;
    }
  }
  return {
    size,
    rowNames: Array.from({ length: size }, (_, k) => `rank ${k}`),
    groupOfRow: columns.add("u32", groupOf.slice(0, size)),
    metrics: [
      { metric: "messages", label: "messages", unit: "", values: columns.add("f32", values) },
      { metric: "bytes", label: "bytes", unit: "B", values: columns.add("f32", values.map((v) => v * 8192)) },
      { metric: "waiting", label: "waiting", unit: "s", values: columns.add("f32", values.map((v) => v / 1000)) },
    ],
  };
}

function makeSimilarity(columns, groups) {
  const size = groups.length;
  const values = Array.from({ length: size * size }, (_, k) => 1 - Math.abs(Math.floor(k / size) - (k % size)) / size);
  return { size, groups: groups.map((_, k) => k), values: columns.add("f32", values) };
}

function makePoset(groups) {
  const [width, nodeHeight] = [180, 24];
  const place = (k) => width / 2 + k * (width + 20);
  const below = groups.map((group, k) => ({
    x: place(k),
    y: 92,
    width,
    label: group.name,
    title: group.name,
    groups: [k],
    processes: group.members,
  }));
  const processes = groups.reduce((sum, group) => sum + group.members, 0);
  const all = "MPI_Allreduce, solve";
  const top = { x: place((groups.length - 1) / 2), y: 12, width, label: all, title: all, groups: [], processes };
  return {
    width: place(groups.length - 1) + width / 2,
    height: 104,
    nodeHeight,
    nodes: [top, ...below],
    edges: below.map(({ x }, k) => [k + 1, 0, x, 60]),
  };
}

// A square, row by row; each group is a sub-cluster.
function makeGrid({ processes }, columns, groups, groupOf) {
  const side = Math.ceil(Math.sqrt(processes));
  return {
    sizes: [side, side],
    colours: groups.map((_, k) => ["#0072b2", "#e69f00", "#009e73", "#cc79a7"][k % 4]),
    clusters: ["", ...groups.map((_, k) => `main cluster 0, sub-cluster ${k}`)],
    clusterOf: columns.add("u16", groupOf.map((group) => group + 1)),
  };
}

export function escapeHtml(text) {
  return String(text).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

function hash(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function writeTable(caption, heads, rows) {
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join("");
  const body = rows.map(
    ({ attributes, cells }) =>
      `<tr ${attributes}><th scope="row">${cells[0]}</th>${cells.slice(1).map((cell) => `<td class="number">${cell}</td>`).join("")}</tr>`,
  );
  const isLong = rows.length > mostPrintedRows;
  const more = isLong ? `<p class="paper">${rows.length - mostPrintedRows} more rows are in the file of this page.</p>` : "";
  return `<table${isLong ? ' class="cut"' : ""}><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body.join("\n")}</tbody></table>${more}`;
}

function efficiency(name, value, word) {
  return `<div class="efficiency ${word}" tabindex="0"><span class="name">${name}</span><span class="value">${Math.round(100 * value)} %</span><span class="word">(${word})</span><span class="about" role="tooltip">What ${name} is.</span></div>`;
}

function writeCall(callees, name, call) {
  const row = `<bdi>${name}</bdi><span class="computation"><svg class="bar"><rect class="whole"/><rect class="part"/></svg></span><span>1 s</span><span>1 s</span>`;
  return callees === ""
    ? `<div class="call" data-call="${call}">${row}</div>`
    : `<details><summary class="call" data-call="${call}">${row}</summary><ul><li>${callees}</li></ul></details>`;
}

function writeHtml(report, columns) {
  const script = readFileSync(path.join(dist, "report.js"), "utf8");
  const style = readFileSync(path.join(dist, "report.css"), "utf8");
  const notice = readFileSync(path.join(dist, "notice.txt"), "utf8");
  const json = JSON.stringify(report).replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
  const name = (text) => `<bdi>${escapeHtml(text)}</bdi>`;
  const groups = report.groups.map((group, k) => ({
    attributes: `data-group="${k}" tabindex="0"`,
    cells: [name(group.name), group.members],
  }));
  const waits = waitingCalls.map((of, k) => ({ attributes: `data-wait="${k}"`, cells: [name(of), "1 s"] }));
  const functions = report.functions.names.map((of, k) => ({ attributes: `data-function="${k}" tabindex="0"`, cells: [name(of), "1 s"] }));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:">
<title>${escapeHtml(report.trace)}</title><style>${style}</style></head>
<body><header id="headline"><h1>${name(report.trace)}</h1>
<p class="finding"><a href="#view=iterations&amp;loop=0&amp;metric=computation+time&amp;group=0">Half of the time is lost to load imbalance: one process computes twice as long as the others</a></p>
</header>
<main>
<section id="overview"><h2 class="unseen">Overview</h2><div class="pictures">
<figure id="ranks"><figcaption>Time of each rank</figcaption><div class="chart"><div class="scale"><span>2.1 s</span><span>0</span></div>
<div class="plot"><svg viewBox="0 0 2 1000" preserveAspectRatio="none"><path class="waiting" d="M0 1000V50h2V1000z"/><path class="computation" d="M0 1000V500h1V50h1V1000z"/></svg></div>
<svg class="places" width="100%" height="17"><text class="place" x="25%" y="13" text-anchor="middle">rank 0</text></svg></div><ul class="kinds"><li class="computation">computation</li><li class="waiting">waiting</li></ul>
<div class="view" data-view="ranks"></div></figure>
<div class="beside"><h3>Efficiency</h3><div class="efficiencies"><ul><li>${efficiency("parallel efficiency", 0.55, "poor")}
<ul><li>${efficiency("load balance", 0.57, "poor")}</li><li>${efficiency("communication", 0.97, "good")}</li></ul></li></ul></div></div>
<div class="words"><p class="fold">Of the ${report.processes} processes, 4 are kept; that costs 1 % of all time.</p></div></div></section>
<section id="timeline"><h2>Timeline</h2><div class="view" data-view="timeline"></div></section>
<section id="groups"><h2>Groups</h2>${writeTable("Processes that do the same work", ["group", "processes"], groups)}<div class="view" data-view="grid"></div>
<details class="skeleton" open><summary>group 0: inside of the grid</summary><pre>${"program      bytes  time  waiting  called in\n2 × Send +1 *  8 bytes  1 us  0 s  main &gt; solve &gt; ".padEnd(400, "x")}</pre></details></section>
<section id="waits"><h2>Where it waits</h2>${writeTable("Calls that wait longest", ["call", "waiting"], waits)}</section>
<section id="iterations"><h2>Iterations</h2><div class="view" data-view="iterations"></div>
${[0, 1].map((k) => `<figure class="by-kind scroll" data-kinds="${k}"><svg width="1100" height="20"><text y="14">kinds</text></svg></figure>`).join("")}</section>
<section id="functions"><h2>Functions</h2><div class="view" data-view="functions"></div>${writeTable("Functions with most time", ["function", "time"], functions)}</section>
<section id="calls"><h2>Call tree</h2><div class="view" data-view="calls"></div><div class="calls"><ul><li>${callNames.reduceRight(writeCall, "")}</li></ul></div></section>
<section id="communication"><h2>Communication</h2><div class="view" data-view="matrix"></div></section>
<section id="structure"><h2>Structure</h2><div class="view" data-view="similarity"></div><div class="view" data-view="poset"></div></section>
<section id="fold"><h2>Fold</h2><p>This is a made page.</p></section>
</main><footer><details><summary>Licences</summary><pre>${escapeHtml(notice)}</pre></details></footer>
<script type="application/json" id="report-data">${json}</script>
<script type="text/plain" id="report-columns">${columns}</script>
<script>${script}</script></body></html>
`;
}
