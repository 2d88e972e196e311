import { addFault, type FieldErrors } from "./field-errors.ts";
import { refuseName, shortenName, UNKNOWN_SHOWN } from "./nearest-name.ts";

const TAKEN = { kind: "query parameter", taker: "address" };

/**
 * The faults of a query's names, each given as often as it was sent: unknown ones, with the nearest known one, and
 * repeated ones. An unknown `x[0][y]` is told as `x`. `listed` are the names that a refusal lists.
 */
export function findNameFaults(
  sent: readonly string[],
  known: readonly string[],
  listed: readonly string[] = known,
): FieldErrors {
  const faults: FieldErrors = {};
  const bases = listed.map(withoutParts);
  const counts = new Map<string, number>();
  for (const name of sent) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts) {
    if (known.includes(name)) {
      if (count > 1) faults[name] = [`The ${name} is given ${count} times. Give it once.`];
    } else if (Object.keys(faults).length < UNKNOWN_SHOWN) {
      const base = shortenName(withoutParts(name) || name);
      addFault(faults, base, refuseName(base, TAKEN, bases, listed));
    }
  }
  return faults;
}

/** `x[0][y]` as `x`. */
function withoutParts(name: string): string {
  return name.replace(/\[.*$/s, "");
}
