// Names of processes, groups and functions. Those of a trace can hold anything: what is not seen in
// them, or turns the direction of writing, was put into symbols when the page was written.

import type { Columns, Numbers } from "./columns";
import type { Report } from "./data";
import { groupDigits } from "./format";

export function shorten(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : letters.slice(0, most - 1).join("") + "…";
}

export function countGroups(count: number): string {
  return `${groupDigits(count)} ${count === 1 ? "group" : "groups"}`;
}

export class ProcessNames {
  private readonly ranks: Numbers | undefined;
  private readonly threads: Numbers | undefined;

  constructor(
    private readonly report: Report,
    columns: Columns,
  ) {
    this.ranks = report.rank && columns.read(report.rank);
    this.threads = report.thread && columns.read(report.thread);
  }

  name(process: number): string {
    if (this.ranks === undefined) return this.report.names?.[process] ?? `process ${process}`;
    const thread = this.threads?.[process] ?? 0;
    return `rank ${this.ranks[process]}` + (thread > 0 ? ` thread ${thread}` : "");
  }

  // The processes of a row that stand beside each other in the order.
  nameRow(first: number, last: number, count: number): string {
    if (count === 1) return this.name(first);
    return `${this.name(first)} to ${this.name(last)} (${count} processes)`;
  }
}
