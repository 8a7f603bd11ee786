// Names of processes, groups and functions. Those of a trace can hold anything.

import type { Columns, Numbers } from "./columns";
import type { Report } from "./data";

// Characters that control, turn the direction of writing, part lines or are not seen, as symbols:
// the same as in the page's tables.
const hidden =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

export function showName(name: string): string {
  return name.replace(hidden, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

export function shorten(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : letters.slice(0, most - 1).join("") + "…";
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
    if (this.ranks === undefined) return showName(this.report.names?.[process] ?? `process ${process}`);
    const thread = this.threads?.[process] ?? 0;
    return `rank ${this.ranks[process]}` + (thread > 0 ? ` thread ${thread}` : "");
  }

  // The processes of a row that stand beside each other in the order.
  nameRow(first: number, last: number, count: number): string {
    if (count === 1) return this.name(first);
    return `${this.name(first)} to ${this.name(last)} (${count} processes)`;
  }
}
