// What a report page holds besides its HTML: the contract between emitters/report/ (C++, which
// writes it) and the scripts. One JSON object in <script id="report-data" type="application/json">,
// and the bytes of all columns, deflated (zlib) and in base64, in <script id="report-columns"
// type="text/plain">. Little-endian. What is not known is absent. In names, characters that control,
// are not seen or turn the direction of writing are symbols already, as in the tables of the page.

export type ColumnType = "u8" | "u16" | "u32" | "f32";

// A column of numbers in the bytes. f32: NaN where a value is not known.
export interface Column {
  at: number; // byte at which it begins, a multiple of 4
  length: number; // values
  type: ColumnType;
}

export interface Report {
  version: 1;
  trace: string; // as people name it
  processes: number;
  // By process (its place in the original, in order of rank and thread).
  rank?: Column; // u32; absent: processes have names
  thread?: Column; // u32; absent: no process has threads beside the first
  names?: string[]; // where there are no ranks
  groupOf: Column; // u8, u16 or u32: place in `groups`
  groups: Group[];
  loops: LoopMaps[];
  ranks?: Ranks;
  waits?: Waits;
  functions?: Functions;
  calls?: Calls;
  timeline?: Timeline;
  matrix?: Matrix;
  similarity?: Similarity;
  poset?: Poset;
  grid?: Grid;
}

export interface Group {
  name: string; // "inside of the grid"
  members: number;
  representatives: number[]; // processes
}

export interface LoopMaps {
  name: string; // the call path of the loop, "main > solve"
  number: number; // of the loop, from 0 on, as in other commands
  iterations: number;
  kept: number[]; // iterations that the fold keeps, ascending
  numbers?: number[]; // that the iterations have in the original, ascending; absent: 0, 1, 2, …
  maps: MetricMap[]; // computation and waiting first
}

export function numberOf({ numbers }: LoopMaps, iteration: number): number {
  return numbers ? numbers[Math.min(iteration, numbers.length - 1)] : iteration;
}
// The first iteration with this number or a larger one.
export function findIteration({ numbers, iterations }: LoopMaps, number: number): number {
  const at = numbers?.findIndex((one) => one >= number);
  return at === undefined ? number : at < 0 ? iterations - 1 : at;
}

// One metric of one loop. Cells are pooled to at most 1000 columns and 1000 rows: column c is of
// the iterations c*perColumn … ; row r is of the processes that `order` lists from firstOfRow[r] on.
export interface MetricMap {
  metric: string; // "computation time", as on the command line, or "waiting", which is all of it
  label: string; // "computation time"
  unit: string; // "s", "" for counts, "B" for bytes
  perColumn: number; // iterations in a column
  // So many iterations have one value, their mean: the largest value is the largest of such means.
  averaged?: number;
  columns: number;
  // Over all processes, by column: exact, not pooled further.
  minimum: Column; // f32, values in unit
  mean: Column;
  maximum: Column;
  byRank: Cells; // rows in order of rank
  byGroup: Cells; // rows in order of group; no row is of two groups
}

export interface Cells {
  rows: number;
  // By group only: there are more groups than rows, so that a row may be of several groups.
  groupsShareRows?: true;
  firstOfRow: Column; // u32: place in the order of the first process of each row
  order: Column; // u32: by place the process
  // Row by row: of small maps values, NaN where there is none; of others levels from 0 to 63 between
  // low and high, 255 where there is no value.
  largest: Levels; // the largest value in the cell
  average: Levels; // and the mean; the same column where each cell holds one value
}

export interface Levels {
  cells: Column; // f32: values; u8: levels
  low: number; // the smallest value, which level 0 has
  high: number; // the largest, of level 63
}

// The bars of the chart of ranks, which stands in the page.
export interface Ranks {
  kinds: string[]; // what a bar is stacked of, from the ground up
  perBar: number; // ranks; a bar is of the one of them that computes longest
  processes: Column; // u32: by bar
  seconds: Column; // f32: by bar and kind
}

// How long groups wait, in seconds over their processes.
export interface Waits {
  groupTotal: Column; // f32: in all calls
  groupOfCall: Column; // f32: by call of the table and group
}

// Box plots of the functions with most time.
export interface Functions {
  unit: string; // "s"
  names: string[];
  classes: string[]; // by function: its paradigm ("computation", "MPI collective", …)
  total: Column; // f32: seconds over all processes, by function
  visits: Column; // f32
  // By function and group, function by function: 5 values (minimum, quartile, median, quartile,
  // maximum of the exclusive time of the group's processes).
  boxes: Column; // f32, names.length * groups.length * 5
  // By function, of the first ones only, and process: in which quarter of its group it is, from 0.
  quarters?: Column; // u8
  // By function and group: seconds over the group's processes, and their calls.
  groupTotal: Column; // f32
  groupVisits: Column; // f32
}

// Times of the call paths of the tree that stands in the page, in its order, with callees and without.
export interface Calls {
  inclusive: Column; // f32: seconds over all processes
  exclusive: Column;
  groupInclusive: Column; // f32: by call and group, over the group's processes
  groupExclusive: Column;
}

// What some processes do over time, and messages between them, those whose receives take longest first.
export interface Timeline {
  rows: string[]; // names of processes
  seconds: number;
  names: string[]; // of functions
  kinds: string[]; // by function: what the style calls what it does
  // The finest one first: by row and cell the function with most time, 255 where nothing is called.
  levels: { cells: number; functions: Column }[]; // u8
  from: Column; // by message: rows
  to: Column;
  sent: Column; // f32: seconds
  received: Column;
  allMessages: number;
}

// Who sends messages to whom, at most 256 rows and columns.
export interface Matrix {
  size: number;
  rowNames: string[]; // "rank 3", "ranks 0-255"; also of columns
  groupOfRow?: Column; // u32: where each row is of one group
  metrics: { metric: string; label: string; unit: string; values: Column }[]; // f32, row = sender
}

export interface Similarity {
  of?: number; // there are so many groups; shown are those with most members
  size: number; // groups, in an order in which similar ones are beside each other
  groups: number[]; // by row the group
  values: Column; // f32 in 0..1, size*size
}

// Where processes are on the grid of ranks.
export interface Grid {
  sizes: number[]; // of its axes, the slowest first
  places?: Column; // u32: by process its place as one number, 0xffffffff: none; absent: its own number
  colours: string[]; // by group: "#0072b2"
  // Groups by signature, the first one of what does not communicate; absent: not known.
  clusters?: string[]; // "main cluster 0, sub-cluster 1"
  clusterOf?: Column; // by process: place in these
}

// Nodes with what is above them; coordinates in a drawing of width × height.
export interface Poset {
  width: number;
  height: number;
  nodes: PosetNode[];
  nodeHeight: number; // of all nodes' boxes
  // The lower node, the upper one, then x and y of each bend from the lower to the upper one. A line
  // begins in the middle of the lower box's top and ends in the middle of the upper box's bottom.
  edges: number[][];
}

export interface PosetNode {
  x: number; // of the middle of its box; y goes down
  y: number;
  width: number; // of its box
  label: string; // what this node adds: calls, or whom it is of
  title: string; // all of it, for a tooltip
  groups: number[]; // that end here
  processes: number; // here and below
}
