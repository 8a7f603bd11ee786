// The columns of numbers that stand deflated and in base64 in the page.

import type { Column } from "./data";

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

const arrays = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  f32: Float32Array,
};

export class Columns {
  constructor(private readonly bytes: ArrayBuffer) {}

  // A view of the column, without a copy. Throws where it is not inside of the bytes.
  read(column: Column): Numbers {
    return new arrays[column.type](this.bytes, column.at, column.length);
  }
}

export async function inflateColumns(base64: string): Promise<Columns> {
  const letters = atob(base64.trim());
  const packed = new Uint8Array(letters.length);
  for (let k = 0; k < packed.length; ++k) packed[k] = letters.charCodeAt(k);
  const inflated = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Columns(await new Response(inflated).arrayBuffer());
}
