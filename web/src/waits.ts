// Where it waits: the table of calls, with the waiting of the chosen group.

import type { Numbers } from "./columns";
import { addElement } from "./controls";
import type { Waits as WaitData } from "./data";
import { formatShare, formatValue } from "./format";
import { GroupColumns } from "./group_columns";
import type { Page, View } from "./page";
import type { State } from "./state";

export class Waits implements View {
  readonly follows = ["group"] as const;
  private readonly total: Numbers;
  private readonly ofCall: Numbers;
  private readonly columns: GroupColumns;
  private readonly key: HTMLElement;

  constructor(
    private readonly page: Page,
    data: WaitData,
    table: HTMLTableElement,
  ) {
    this.total = page.columns.read(data.groupTotal);
    this.ofCall = page.columns.read(data.groupOfCall);
    this.columns = new GroupColumns(page, table, "wait", ["waiting of", "of all waiting of"]);
    this.key = document.createElement("p");
    this.key.className = "key";
    this.key.setAttribute("aria-live", "polite");
    table.closest(".scroll")?.before(this.key);
  }

  update(state: State): void {
    const { groups } = this.page.report;
    const total = this.total[state.group];
    this.columns.update(state.group, (call) => {
      const waiting = this.ofCall[call * groups.length + state.group];
      return [formatValue(waiting, "s"), total > 0 ? formatShare(waiting / total) : ""];
    });
    const group = groups[state.group];
    this.key.hidden = group === undefined;
    if (group === undefined) return;
    let all = 0;
    for (const one of this.total) all += one;
    this.key.textContent = "Waiting of ";
    addElement(this.key, "bdi", "", group.name);
    this.key.append(total > 0 ? `: ${formatValue(total, "s")}, ${formatShare(total / all)} of all waiting.` : ": none.");
  }
}
