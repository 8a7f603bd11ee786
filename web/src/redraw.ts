// Draws views again when something else is chosen: those in sight at once, so that a choice is seen
// without delay, the others when they come into sight or when the browser has nothing else to do.
// <html data-drawn> says whether all of them are as they should be.

import { measureRooms } from "./canvas";
import type { View } from "./page";
import type { State, Store } from "./state";

const longestWait = 1000; // ms that a busy browser may put off a view
const nearSight = 200; // CSS pixels above and below the window

export class Redraw {
  private readonly stale = new Set<View>();
  private drawn: State;
  private isWaiting = false;

  constructor(
    private readonly views: readonly View[],
    private readonly store: Store,
  ) {
    this.drawn = store.state;
    store.listen((state) => this.follow(state));
    const viewOf = new Map<Element, View>();
    const observer = new IntersectionObserver(
      (entries) => {
        this.draw(entries.flatMap(({ isIntersecting, target }) => (isIntersecting ? (viewOf.get(target) ?? []) : [])));
      },
      { rootMargin: `${nearSight}px 0px` },
    );
    for (const view of views) {
      const whole = view.whole ?? view.box;
      if (whole === undefined) continue;
      viewOf.set(whole, view);
      observer.observe(whole);
    }
  }

  // All of them, at once.
  drawAll(): void {
    for (const view of this.views) this.stale.add(view);
    this.finish();
  }

  // All that have not been drawn yet, at once.
  finish(): void {
    this.draw([...this.stale]);
  }

  // All of them, as after a choice that all follow.
  drawInTurn(): void {
    this.mark(this.views);
  }

  private follow(state: State): void {
    const changed = this.views.filter((view) => view.follows.some((key) => state[key] !== this.drawn[key]));
    this.drawn = state;
    this.mark(changed);
  }

  private mark(views: readonly View[]): void {
    for (const view of views) this.stale.add(view);
    this.draw(views.filter(isInSight));
    this.waitForIdle();
  }

  private draw(views: readonly View[]): void {
    const toDraw = views.filter((view) => this.stale.has(view));
    measureRooms(toDraw.flatMap(({ box }) => box ?? []), () => {
      for (const view of toDraw) {
        this.stale.delete(view);
        view.update(this.store.state);
      }
    });
    document.documentElement.dataset["drawn"] = String(this.stale.size === 0);
  }

  private waitForIdle(): void {
    if (this.isWaiting || this.stale.size === 0) return;
    this.isWaiting = true;
    callWhenIdle(() => {
      this.isWaiting = false;
      const [next] = this.stale;
      if (next !== undefined) this.draw([next]);
      this.waitForIdle();
    });
  }
}

// Safari cannot tell when it has nothing else to do.
function callWhenIdle(call: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(call, { timeout: longestWait });
  else setTimeout(call);
}

// A view without a box is never out of sight.
function isInSight({ box, whole = box }: View): boolean {
  if (whole === undefined) return true;
  const { top, bottom } = whole.getBoundingClientRect();
  return bottom >= 0 && top <= innerHeight;
}
