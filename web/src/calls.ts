// The tree of calls, which stands in the page: times are those of the chosen group where there is one.

import type { Numbers } from "./columns";
import { addButton, addElement } from "./controls";
import type { Calls as CallData } from "./data";
import { formatValue } from "./format";
import type { Page, View } from "./page";
import type { State } from "./state";

interface Row {
  whole: Element | null;
  part: Element | null;
  inclusive: HTMLElement;
  exclusive: HTMLElement;
}

export class Calls implements View {
  readonly follows = ["group"] as const;
  private readonly ofAll: [Numbers, Numbers];
  private readonly ofGroups: [Numbers, Numbers];
  private readonly rows: Row[];
  private readonly key: HTMLElement;

  constructor(
    private readonly page: Page,
    data: CallData,
    readonly box: HTMLElement,
  ) {
    const { columns } = page;
    this.ofAll = [columns.read(data.inclusive), columns.read(data.exclusive)];
    this.ofGroups = [columns.read(data.groupInclusive), columns.read(data.groupExclusive)];
    const section = box.closest("section") ?? box;
    this.rows = [...section.querySelectorAll<HTMLElement>("[data-call]")].map((row) => {
      const [inclusive, exclusive] = [...row.children].slice(-2) as HTMLElement[];
      return { whole: row.querySelector(".whole"), part: row.querySelector(".part"), inclusive, exclusive };
    });
    const controls = addElement(box, "div", "controls");
    const open = (isOpen: boolean) => {
      for (const call of section.querySelectorAll("details")) call.open = isOpen;
    };
    addButton(controls, "Open all", () => open(true));
    addButton(controls, "Close all", () => open(false));
    this.key = addElement(controls, "span", "key");
    this.key.setAttribute("aria-live", "polite");
  }

  update(state: State): void {
    const group = this.page.report.groups[state.group];
    const { length } = this.page.report.groups;
    const read = (kind: 0 | 1, call: number) =>
      group === undefined ? this.ofAll[kind][call] : this.ofGroups[kind][call * length + state.group];
    this.key.textContent = group === undefined ? "" : `Times of ${group.name}`;
    let most = 0;
    this.rows.forEach((_, call) => (most = Math.max(most, read(0, call))));
    const scale = (value: number) => String(most > 0 ? Math.max(0.5, (value / most) * 120) : 0);
    this.rows.forEach(({ whole, part, inclusive, exclusive }, call) => {
      const [withCallees, alone] = [read(0, call), read(1, call)];
      inclusive.textContent = formatValue(withCallees, "s");
      exclusive.textContent = formatValue(alone, "s");
      whole?.setAttribute("width", scale(withCallees));
      part?.setAttribute("width", scale(alone));
    });
  }
}
