import { randomFillSync } from "node:crypto";
import { ulid } from "ulid";

/** A ULID of a time, with 80 random bits of its own: no id tells of another one, not even of the same millisecond. */
export function makeId(nowMs: number): string {
  return ulid(nowMs, drawFraction);
}

// The library asks the system for each of 16 characters, which takes 92 µs an id; from a stock it takes 1.5.
const stock = new Uint8Array(4096);
let next = stock.length;

function drawFraction(): number {
  if (next === stock.length) {
    randomFillSync(stock);
    next = 0;
  }
  return (stock[next++] ?? 0) / 256;
}
