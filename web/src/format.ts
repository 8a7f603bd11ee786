// Numbers as people read them.

import { format } from "d3-format";

const threeDigits = format(".3~r");
const prefixes: [number, string][] = [
  [1, ""],
  [1e-3, "m"],
  [1e-6, "u"],
  [1e-9, "n"],
];
const binary = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

// "1 234 567", as the program's tables write it; spaces do not break.
export function groupDigits(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
}

// Writes values of one axis in the same unit, that of the largest.
export function makeFormat(largest: number, unit: string): (value: number) => string {
  const size = Math.abs(largest);
  if (unit === "s") {
    const [scale, prefix] = prefixes.find(([factor]) => size >= factor) ?? prefixes[prefixes.length - 1];
    return (value) => (value === 0 ? "0" : `${writeNumber(value / scale)}\u00a0${prefix}s`);
  }
  if (unit === "B") {
    const power = Math.min(Math.floor(Math.log2(Math.max(size, 1)) / 10), binary.length - 1);
    return (value) => (value === 0 ? "0" : `${writeNumber(value / 1024 ** power)}\u00a0${binary[power]}`);
  }
  return (value) => writeNumber(value) + (unit === "" ? "" : `\u00a0${unit}`);
}

export function formatValue(value: number, unit: string): string {
  return Number.isNaN(value) ? "not known" : makeFormat(value, unit)(value);
}

export function formatShare(share: number): string {
  return Number.isNaN(share) ? "not known" : `${threeDigits(share * 100)}\u00a0%`;
}

function writeNumber(value: number): string {
  if (Math.abs(value) >= 1e12) return format(".3~s")(value);
  return Math.abs(value) >= 1000 ? groupDigits(value) : threeDigits(value);
}
