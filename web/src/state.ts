// What is chosen on the page. It stands in the fragment of the address, so that the browser's back
// and bookmarks work, also on file://.

export interface State {
  view: string; // where the page was scrolled to, or what was changed last
  loop: number;
  metric: string; // of the map of iterations; empty: the first
  rows: "group" | "rank";
  pool: "largest" | "average";
  scale: "linear" | "equalised";
  from: number; // first iteration that is drawn, from 0 on
  to: number; // and the one after the last; 0: all
  group: number; // -1: none is chosen
  function: number; // -1: none is chosen
  class: string; // group of functions; empty: all
  search: string; // of functions
  boxes: string; // what is searched in the lattice
  sort: "time" | "visits" | "name" | "spread";
  matrix: string; // metric of the matrix; empty: the first
}

const defaults: State = {
  view: "",
  loop: 0,
  metric: "",
  rows: "rank",
  pool: "largest",
  scale: "linear",
  from: 0,
  to: 0,
  group: -1,
  function: -1,
  class: "",
  search: "",
  boxes: "",
  sort: "time",
  matrix: "",
};

const words: Partial<Record<keyof State, readonly string[]>> = {
  rows: ["group", "rank"],
  pool: ["largest", "average"],
  scale: ["linear", "equalised"],
  sort: ["time", "visits", "name", "spread"],
};

const keys = Object.keys(defaults) as (keyof State)[];

// A fragment can be typed by anybody: what is not understood is as if it were not there.
export function parseState(fragment: string): State {
  const state: Record<string, string | number> = { ...defaults };
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  for (const key of keys) {
    const value = given.get(key);
    if (value === null) continue;
    if (typeof defaults[key] === "number") {
      if (/^\d{1,9}$/.test(value)) state[key] = Number(value);
    } else if (words[key]?.includes(value) ?? true) {
      state[key] = value;
    }
  }
  // A link to the matrix names its metric as one to a map of iterations does.
  if (state["view"] === "matrix" && state["matrix"] === "") {
    state["matrix"] = state["metric"];
    state["metric"] = "";
  }
  return state as unknown as State;
}

export function writeState(state: State): string {
  const changed = new URLSearchParams();
  for (const key of keys) {
    if (state[key] !== defaults[key]) changed.set(key, String(state[key]));
  }
  return changed.toString();
}

export class Store {
  private current = parseState(location.hash);
  private written = writeState(this.current);
  private listeners: ((state: State) => void)[] = [];

  constructor() {
    addEventListener("hashchange", () => {
      const state = parseState(location.hash);
      const written = writeState(state);
      if (written === this.written) return;
      this.current = state;
      this.written = written;
      this.tell();
    });
  }

  get state(): State {
    return this.current;
  }

  listen(listener: (state: State) => void): void {
    this.listeners.push(listener);
  }

  // Each change is a step that "back" undoes. `replace`: it goes into the last step, as letters of
  // a search do.
  change(part: Partial<State>, replace = false): void {
    const state = { ...this.current, ...part };
    const written = writeState(state);
    if (written === this.written) return;
    this.current = state;
    this.written = written;
    // Setting location.hash would go to the top of the page where nothing is chosen any more.
    if (replace) history.replaceState(null, "", "#" + written);
    else history.pushState(null, "", "#" + written);
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this.current);
  }
}
