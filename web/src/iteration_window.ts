// The iterations that are drawn, as whole columns of a map.

import type { State } from "./state";

export interface Window {
  firstColumn: number;
  columns: number;
}

// `to` is the iteration after the last one; 0: up to the end.
export function findWindow(state: State, perColumn: number, columns: number): Window {
  const firstColumn = Math.min(columns - 1, Math.floor(state.from / perColumn));
  const end = state.to === 0 ? columns : Math.min(columns, Math.ceil(state.to / perColumn));
  return { firstColumn, columns: Math.max(1, end - firstColumn) };
}
