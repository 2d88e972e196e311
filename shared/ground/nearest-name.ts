import leven from "leven";
import { addFault, type FieldErrors } from "./errors.ts";
import { countCodePoints, joinWords, takeCodePoints } from "./text.ts";

/** A longer name is no misspelling of one of ours. */
const MOST_CHARACTERS = 60;
const SHOWN_CHARACTERS = 80;
/** How many names a refusal lists. */
const NAMES_LISTED = 30;

/** In a longer name two letters in the wrong order are few among the edits that it may have. */
const SWAPPED_CHARACTERS = 12;
/** Pairs of characters that one search compares: a table may have thousands of columns, and this takes 5 ms. */
const MOST_COMPARED = 1_000_000;

/** About a third of the characters of a name may differ: of a single one none, for every other is as near. */
const countMostEdits = (name: string, folded: string) =>
  folded.length < 2 ? 0 : Math.round(countCodePoints(name) / 3);

/** The known name that was most likely meant. Null where none is near. */
export function findNearestName(name: string, known: readonly string[]): string | null {
  if (name.length > MOST_CHARACTERS) return null;
  const folded = fold(name);
  const most = countMostEdits(name, folded);
  const tried = folded.length <= SWAPPED_CHARACTERS ? folded.length : 1;
  let [nearest, least]: [string | null, number] = [null, most + 1];
  let compared = 0;
  for (const one of known) {
    const other = fold(one);
    const isNear = Math.abs(folded.length - other.length) <= most;
    compared += other.length + (isNear ? folded.length * other.length * tried : 0);
    if (compared > MOST_COMPARED) break;
    const distance = isNear ? countEdits(folded, other, most) : least;
    if (distance < least) [nearest, least] = [one, distance];
  }
  return nearest;
}

/** The edits between two names, no more than one beyond `most`; two neighbouring letters in the wrong order are one. */
function countEdits(name: string, known: string, most: number): number {
  const isShort = name.length > 1 && name.length <= SWAPPED_CHARACTERS;
  const swapped = Array.from(
    { length: isShort ? name.length - 1 : 0 },
    (_, at) => name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2),
  );
  const count = (other: string) => leven(other, known, { maxDistance: most + 1 });
  return Math.min(count(name), ...swapped.map((other) => 1 + count(other)));
}

const fold = (name: string) =>
  name
    .slice(0, 2 * MOST_CHARACTERS)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** A sentence that asks whether the nearest known name was meant, with a space before it; empty where none is near. */
export function askWhetherMeant(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  return nearest === null ? "" : ` Did you mean ${nearest}?`;
}

/** How many names a refusal offers for a misspelt one. */
const NAMES_OFFERED = 3;

/** The known names that were most likely meant, nearest first: misspelt by a third at most, or cut short. */
function listNearestNames(name: string, known: readonly string[]): string[] {
  if (name.length > MOST_CHARACTERS) return [];
  const folded = fold(name);
  const maxDistance = countMostEdits(folded, folded);
  const near = known.map((one) => {
    const other = fold(one);
    const isPart = folded.length > 1 && other.includes(folded);
    const distance = countEdits(folded, other, maxDistance);
    return { one, distance: isPart ? Math.min(distance, maxDistance) : distance };
  });
  return near
    .filter(({ distance }) => distance <= maxDistance)
    .toSorted((left, right) => left.distance - right.distance || left.one.localeCompare(right.one))
    .slice(0, NAMES_OFFERED)
    .map(({ one }) => one);
}

/** A sentence that asks which of the nearest known names was meant, as `askWhetherMeant`; each begins with `start`. */
export function askWhichWasMeant(name: string, known: readonly string[], start = ""): string {
  const nearest = listNearestNames(name, known).map((one) => `${start}${one}`);
  return nearest.length === 0 ? "" : ` Did you mean ${joinWords(nearest, "or")}?`;
}

/** A name of a request as a refusal repeats it: valid text, and cut. */
export function shortenName(name: string): string {
  const known = name.toWellFormed();
  return countCodePoints(known) > SHOWN_CHARACTERS ? `${takeCodePoints(known, SHOWN_CHARACTERS)}…` : known;
}

/** How many unknown names a refusal tells: a hostile request has a thousand. */
export const UNKNOWN_SHOWN = 20;

/** Who takes names of a kind, as a refusal says it. */
interface NameTaker {
  /** What a name is called: `query parameter`. */
  kind: string;
  /** Who takes them: `address`. */
  taker: string;
}

/** The refusal of an unknown name: the nearest of `known`, and the list of those that there are. */
export function refuseName(
  name: string,
  { kind, taker }: NameTaker,
  known: readonly string[],
  listed: readonly string[] = known,
): string {
  const allowed =
    listed.length === 0
      ? `This ${taker} takes none.`
      : `There ${listed.length === 1 ? "is only" : "are"} ${listNames(listed)}.`;
  return `There is no ${kind} ${shortenName(name)}.${askWhetherMeant(name, known)} ${allowed}`;
}

/** Names in one line, cut after thirty. */
function listNames(names: readonly string[]): string {
  const rest = names.length - NAMES_LISTED;
  return `${names.slice(0, NAMES_LISTED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

const TAKEN = { kind: "query parameter", taker: "address" };

/**
 * The faults of a query's names, each given as often as it was sent: unknown ones, with the nearest known one, and
 * repeated ones. An unknown `x[0][y]` is reported as `x`, and told as sent where `x` alone is known. `listed` are the
 * names that a refusal lists.
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
      const shown = known.includes(base) ? shortenName(name) : base;
      addFault(faults, base, refuseName(shown, TAKEN, bases, listed));
    }
  }
  return faults;
}

/** `x[0][y]` as `x`. */
function withoutParts(name: string): string {
  return name.replace(/\[.*$/s, "");
}
