// The table of groups: one of them can be chosen, and all views follow.

import { addButton, addElement, addSelect } from "./controls";
import { groupDigits } from "./format";
import { shorten } from "./names";
import type { Page, View } from "./page";
import type { State } from "./state";

export class Groups implements View {
  readonly follows = ["group"] as const;
  private readonly rows: HTMLTableRowElement[];
  private readonly setSelect: (value: string) => void;
  private readonly clear: HTMLButtonElement;

  // `bar` stays in sight, and tells which group is chosen.
  constructor(
    private readonly page: Page,
    private readonly bar: HTMLElement,
  ) {
    this.rows = [...document.querySelectorAll<HTMLTableRowElement>("tr[data-group]")];
    for (const row of this.rows) this.followRow(row);
    const { groups } = page.report;
    const box = addElement(bar, "div", "chosen-group");
    const options = groups.map((group, k) => ({
      value: String(k),
      label: `${shorten(group.name, 48)} (${groupDigits(group.members)})`,
    }));
    this.setSelect = addSelect(box, "Group", [{ value: "-1", label: "all processes" }, ...options], (value) =>
      page.store.change({ group: Number(value) }),
    );
    this.clear = addButton(box, "×", () => page.store.change({ group: -1 }));
    this.clear.setAttribute("aria-label", "choose no group");
  }

  update(state: State): void {
    const isChosen = state.group in this.page.report.groups;
    for (const row of this.rows) {
      row.setAttribute("aria-selected", String(Number(row.dataset["group"]) === state.group));
    }
    this.setSelect(isChosen ? String(state.group) : "-1");
    this.clear.hidden = !isChosen;
    this.bar.classList.toggle("has-group", isChosen);
  }

  private followRow(row: HTMLTableRowElement): void {
    const group = Number(row.dataset["group"]);
    const { store } = this.page;
    const toggle = () => store.change({ group: store.state.group === group ? -1 : group });
    row.tabIndex = 0;
    row.addEventListener("click", toggle);
    row.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    });
  }
}
