// Tables that are long or wide scroll by themselves, so that the views stay near each other, and on
// a narrow screen each row is a card, whose cells have the names of their columns. Without scripts
// all of them is there, and on paper their first rows.

import { groupDigits } from "./format";

const mostRows = 20;
const mostPrintedRows = 20; // as report.css has it

export function makeTablesScroll(): void {
  for (const table of document.querySelectorAll<HTMLTableElement>("main table")) {
    const box = document.createElement("div");
    box.className = "scroll";
    table.before(box);
    box.append(table);
    labelCells(table);
    if ((table.tBodies[0]?.rows.length ?? 0) <= mostRows) continue;
    box.classList.add("long");
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", table.caption?.textContent ?? "table");
  }
}

export function labelCells(table: HTMLTableElement): void {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].map((head) => head.textContent ?? "");
  for (const row of table.tBodies[0]?.rows ?? []) {
    [...row.cells].forEach((cell, k) => {
      if (k > 0 && heads[k] !== "") cell.dataset["head"] = heads[k];
    });
  }
}

export function countUnprinted(rows: number): string {
  return rows > mostPrintedRows ? `${groupDigits(rows - mostPrintedRows)} more rows are in the file of this page.` : "";
}
