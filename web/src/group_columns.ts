// Columns of a table that stands in the page: what the chosen group does in each of its rows. They
// stand before the numbers of all processes, and are not there where no group is chosen.

import type { Page } from "./page";
import { shorten } from "./names";

const longestName = 28;

export class GroupColumns {
  private readonly heads: HTMLElement[] = [];
  private readonly rows: { index: number; cells: HTMLElement[] }[] = [];

  // `heads` are followed by the name of the group; rows have their number in data-`key`.
  constructor(
    private readonly page: Page,
    table: HTMLTableElement,
    key: string,
    private readonly texts: readonly string[],
  ) {
    const rows = [...(table.tBodies[0]?.rows ?? [])];
    const number = rows[0]?.querySelector<HTMLTableCellElement>("td.number");
    if (!number) return;
    const place = number.cellIndex;
    const head = table.tHead?.rows[0];
    if (head) this.heads = this.insert(head, place, "th");
    for (const row of rows) {
      this.rows.push({ index: Number(row.dataset[key]), cells: this.insert(row, place, "td") });
    }
  }

  // `write` gives the texts of a row.
  update(group: number, write: (row: number) => string[]): void {
    const name = this.page.report.groups[group]?.name;
    for (const cell of [...this.heads, ...this.rows.flatMap(({ cells }) => cells)]) cell.hidden = name === undefined;
    if (name === undefined) return;
    this.heads.forEach((head, k) => {
      head.textContent = `${this.texts[k]} ${shorten(name, longestName)}`;
      head.title = name;
    });
    for (const { index, cells } of this.rows) {
      const texts = write(index);
      cells.forEach((cell, k) => {
        cell.textContent = texts[k] ?? "";
        cell.dataset["head"] = this.heads[k]?.textContent ?? "";
      });
    }
  }

  private insert(row: HTMLTableRowElement, place: number, kind: "th" | "td"): HTMLElement[] {
    const before = row.cells[place] ?? null;
    return this.texts.map(() => {
      const cell = document.createElement(kind);
      cell.className = "number of-group";
      cell.hidden = true;
      if (kind === "th") cell.setAttribute("scope", "col");
      row.insertBefore(cell, before);
      return cell;
    });
  }
}
