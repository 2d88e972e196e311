import { askWhetherMeant, listNames, shortenName } from "./nearest-name.ts";

/** Sentences by the name of the parameter that they are about. */
export type ParameterFaults = Record<string, string[]>;

/** How many unknown parameters a refusal names: a hostile query has a thousand. */
const UNKNOWN_SHOWN = 20;

/**
 * The faults of a query's names, each given as often as it was sent: unknown ones, with the nearest known one, and
 * repeated ones. An unknown `x[0][y]` is told as `x`. `listed` are the names that a refusal lists.
 */
export function findNameFaults(
  sent: readonly string[],
  known: readonly string[],
  listed: readonly string[] = known,
): ParameterFaults {
  const faults: ParameterFaults = {};
  const counts = new Map<string, number>();
  for (const name of sent) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts) {
    if (known.includes(name)) {
      if (count > 1) faults[name] = [`The ${name} is given ${count} times. Give it once.`];
    } else if (Object.keys(faults).length < UNKNOWN_SHOWN) {
      const base = shortenName(name.replace(/\[.*$/s, "") || name);
      faults[base] = [refuseName(base, listed)];
    }
  }
  return faults;
}

function refuseName(name: string, known: readonly string[]): string {
  const allowed = known.length === 0 ? " This address takes none." : ` There are ${listNames(known)}.`;
  const bases = known.map((each) => each.replace(/\[.*$/, ""));
  return `There is no query parameter ${name}.${askWhetherMeant(name, bases)}${allowed}`;
}
