// Where the pointer or the arrow keys are on a map, in cells; what is there is written below it.

export interface Place {
  column: number;
  row: number;
}

export interface CursorOptions {
  // Columns and rows of cells that are drawn now.
  size(): { columns: number; rows: number };
  move(place: Place | undefined): void;
  choose?(place: Place): void;
}

const steps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const farther = 10; // cells, with the Shift key

export function followCursor(canvas: HTMLElement, options: CursorOptions): void {
  let place: Place = { column: 0, row: 0 };

  const go = (column: number, row: number) => {
    const { columns, rows } = options.size();
    place = {
      column: Math.max(0, Math.min(columns - 1, column)),
      row: Math.max(0, Math.min(rows - 1, row)),
    };
    options.move(place);
  };
  const follow = (event: PointerEvent | MouseEvent) => {
    const box = canvas.getBoundingClientRect();
    const { columns, rows } = options.size();
    go(
      Math.floor(((event.clientX - box.left) / box.width) * columns),
      Math.floor(((event.clientY - box.top) / box.height) * rows),
    );
  };

  canvas.tabIndex = 0;
  canvas.addEventListener("pointermove", follow);
  canvas.addEventListener("pointerleave", () => options.move(undefined));
  canvas.addEventListener("focus", () => {
    if (canvas.matches(":focus-visible")) go(place.column, place.row);
  });
  canvas.addEventListener("blur", () => options.move(undefined));
  canvas.addEventListener("click", (event) => {
    follow(event);
    options.choose?.(place);
  });
  canvas.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (step !== undefined) {
      const far = event.shiftKey ? farther : 1;
      go(place.column + far * step[0], place.row + far * step[1]);
    } else if (event.key === "Enter" || event.key === " ") {
      options.choose?.(place);
    } else {
      return;
    }
    event.preventDefault();
  });
}
