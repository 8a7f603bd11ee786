// The bar on top: a link to each section, and going to the view that the address names.

import { addElement } from "./controls";

export function addBar(): HTMLElement {
  const bar = document.createElement("nav");
  bar.id = "bar";
  bar.setAttribute("aria-label", "Sections");
  const links = addElement(bar, "div", "links");
  for (const section of document.querySelectorAll<HTMLElement>("main > section[id]")) {
    const title = section.querySelector("h2")?.firstChild?.textContent;
    if (!title) continue;
    const link = addElement(links, "a", "", title);
    link.href = "#" + section.id;
    // Going somewhere is no choice: the address keeps what is chosen.
    link.addEventListener("click", (event) => {
      event.preventDefault();
      section.scrollIntoView();
      section.tabIndex = -1;
      section.focus({ preventScroll: true });
    });
  }
  document.querySelector("main")?.before(bar);
  return bar;
}

export function showView(view: string): void {
  if (!/^[a-z]+$/.test(view)) return;
  const found = document.querySelector(`[data-view="${view}"]`) ?? document.getElementById(view);
  const section = found?.closest("section") ?? found;
  // A section with several views begins with another one.
  const first = section?.querySelector("[data-view]");
  (first === found ? section : found)?.scrollIntoView();
}
