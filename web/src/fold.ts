// Fold: which processes stay of the chosen group.

import { addElement } from "./controls";
import { groupDigits } from "./format";
import type { Page, View } from "./page";
import type { State } from "./state";

const mostNamed = 8;

export class Fold implements View {
  readonly follows = ["group"] as const;
  private readonly line: HTMLElement;

  constructor(
    private readonly page: Page,
    section: Element,
  ) {
    this.line = document.createElement("p");
    this.line.className = "key";
    this.line.setAttribute("aria-live", "polite");
    section.querySelector("h2")?.after(this.line);
  }

  update(state: State): void {
    const group = this.page.report.groups[state.group];
    this.line.hidden = group === undefined || group.representatives.length === 0;
    if (group === undefined) return;
    const named = group.representatives.slice(0, mostNamed).map((process) => this.page.names.name(process));
    const left = group.representatives.length - named.length;
    this.line.textContent = `Of the ${group.members === 1 ? "one process" : groupDigits(group.members) + " processes"} of `;
    addElement(this.line, "bdi", "", group.name);
    this.line.append(
      ` a reduced trace keeps ${named.join(", ")}${left > 0 ? ` and ${groupDigits(left)} more` : ""}.`,
    );
  }
}
