// What all views share.

import type { Columns } from "./columns";
import type { Report } from "./data";
import type { ProcessNames } from "./names";
import type { State, Store } from "./state";

export interface Page {
  report: Report;
  columns: Columns;
  names: ProcessNames;
  groupOf: ArrayLike<number>;
  store: Store;
}

export interface View {
  readonly box?: HTMLElement; // what it is drawn in; absent: it is always in sight
  readonly whole?: Element; // where something else of it is around the box
  // What it is drawn by; where none of these has changed, it stays as it is.
  readonly follows: readonly (keyof State)[];
  update(state: State): void;
}
