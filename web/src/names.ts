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

  // Several that ascend: "ranks 0-3, 7", or their names; some of them where they are many.
  list(processes: number[], most = 8): string {
    const parts: string[] = [];
    const { ranks, threads } = this;
    const isMaster = (process: number) => ranks !== undefined && (threads?.[process] ?? 0) === 0;
    for (let first = 0; first < processes.length; ) {
      let end = first + 1;
      const follows = () => ranks !== undefined && ranks[processes[end]] === ranks[processes[end - 1]] + 1;
      while (end < processes.length && isMaster(processes[first]) && isMaster(processes[end]) && follows()) ++end;
      const [a, b] = [processes[first], processes[end - 1]];
      parts.push(a === b ? this.name(a) : `ranks ${ranks?.[a]}-${ranks?.[b]}`);
      first = end;
    }
    const more = parts.length - most;
    return parts.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
  }

  // The processes of a row that stand beside each other in the order.
  nameRow(first: number, last: number, count: number): string {
    if (count === 1) return this.name(first);
    return `${this.name(first)} to ${this.name(last)} (${count} processes)`;
  }
}
