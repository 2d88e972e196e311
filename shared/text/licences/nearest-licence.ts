import leven from "leven";
import { shortenName } from "../../ground/nearest-name.ts";
import { findDeprecatedId, findLicenceId, isApproved, LICENCE_IDS, nameOfLicence } from "./licences.ts";

const LIST = "https://spdx.org/licenses/";

/** The licences that the documentation recommends for data and texts. */
export const RECOMMENDED_LICENCES = [
  "CC0-1.0",
  "CC-BY-4.0",
  "CC-BY-SA-4.0",
  "ODbL-1.0",
  "ODC-By-1.0",
  "PDDL-1.0",
  "CDLA-Permissive-2.0",
] as const;

/** A longer text is no misspelt identifier and no name of a licence. */
const MOST_CHARACTERS = 100;
const LEAST_CHARACTERS = 2;
/** A shorter text stands in too many names. */
const LEAST_NAMED = 6;
/** Identifiers with fewer letters in common do not begin alike. */
const LEAST_ALIKE = 3;

/** The sentence that refuses an unknown or deprecated identifier; `what` is what the request calls it. */
export function explainLicence(text: string, what: string): string {
  const nearest = findNearestLicence(text);
  const deprecated = findDeprecatedId(text);
  const named = `The ${what} ${deprecated ?? shortenName(text)}`;
  if (deprecated !== null) {
    const inForce = nearest === null ? `take one in force from ${LIST}` : `${nearest} is in force`;
    return `${named} is a deprecated SPDX identifier; ${inForce}.`;
  }
  const known = nearest === null ? `take one from ${LIST}` : `${nearest} is`;
  return `${named} is no SPDX identifier; ${known}.`;
}

interface Candidate {
  id: string;
  /** The smaller, the nearer. */
  distance: number;
}

const FOLDED = LICENCE_IDS.map((id) => {
  const folded = fold(id);
  return { id, folded, joined: folded.replaceAll("-", ""), name: fold(nameOfLicence(id)) };
});

/**
 * The licence that an unknown or deprecated name most likely means: one that begins alike before one that is spelt
 * alike. Null where none is near.
 */
export function findNearestLicence(text: string): string | null {
  if (text.length > MOST_CHARACTERS) return null;
  const folded = fold(text.trim().replace(/\+$/, "-or-later"));
  if (folded.length < LEAST_CHARACTERS) return null;
  return (
    findLicenceId(text.trim()) ??
    nearestOf(listContinued(folded)) ??
    nearestOf(listContained(folded)) ??
    nearestOf(listMisspelt(folded)) ??
    nearestOf(listNamed(folded)) ??
    nearestOf(listSharing(folded))
  );
}

/** Runs of letters and of digits between hyphens, versions without their v: `CC BY v4.0` is as `CC-BY-4.0`. */
function fold(text: string): string {
  const runs = text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];
  const isVersion = (run: string | undefined) => run !== undefined && /^\p{N}/u.test(run);
  return runs
    .map((run, place) => (isVersion(runs[place + 1]) ? run.replace(/v$/, "") : run))
    .filter((run) => run !== "")
    .join("-");
}

/** Identifiers and names that go on where the text ends. */
function listContinued(folded: string): Candidate[] {
  return FOLDED.flatMap(({ id, folded: known, name }) => {
    // The page on licences recommends few, so one of those is more likely meant than a shorter one.
    const further = isRecommended(id) ? 0 : MOST_CHARACTERS;
    if (known.startsWith(folded)) return [{ id, distance: further + known.length - folded.length }];
    const distance = further + 2 * MOST_CHARACTERS + name.length - folded.length;
    return name.startsWith(folded) ? [{ id, distance }] : [];
  });
}

/** Identifiers and names with which the text begins, up to the end of a word. */
function listContained(folded: string): Candidate[] {
  return FOLDED.flatMap(({ id, folded: known, name }) =>
    [known, name]
      .filter((begin) => folded.startsWith(`${begin}-`))
      .map((begin) => ({ id, distance: folded.length - begin.length })),
  );
}

function listMisspelt(folded: string): Candidate[] {
  const text = folded.replaceAll("-", "");
  const most = Math.max(1, Math.round(text.length / 4));
  return FOLDED.map(({ id, joined }) => ({
    id,
    distance: leven(text, joined, { maxDistance: most + 1 }),
  })).filter(({ distance }) => distance <= most);
}

/** Licences whose name has the text in it, in whole words. */
function listNamed(folded: string): Candidate[] {
  if (folded.length < LEAST_NAMED) return [];
  return FOLDED.filter(({ name }) => `-${name}-`.includes(`-${folded}-`)).map(({ id }) => ({
    id,
    distance: 0,
  }));
}

/** Identifiers that share the longest beginning, of whole words. */
function listSharing(folded: string): Candidate[] {
  return FOLDED.map(({ id, folded: known }) => ({ id, distance: -countAlike(folded, known) })).filter(
    ({ distance }) => distance <= -LEAST_ALIKE,
  );
}

function countAlike(left: string, right: string): number {
  const words = right.split("-");
  const alike = left.split("-").findIndex((word, place) => word !== words[place]);
  return words.slice(0, alike === -1 ? words.length : alike).join("-").length;
}

/** The nearest; among equals a recommended one, an approved one, a short one, and the highest version. */
function nearestOf(candidates: readonly Candidate[]): string | null {
  const [first] = candidates.toSorted(
    (left, right) =>
      left.distance - right.distance ||
      rank(left.id) - rank(right.id) ||
      left.id.length - right.id.length ||
      right.id.localeCompare(left.id, "en", { numeric: true }),
  );
  return first?.id ?? null;
}

function rank(id: string): number {
  if (isRecommended(id)) return 0;
  return isApproved(id) ? 1 : 2;
}

function isRecommended(id: string): boolean {
  return RECOMMENDED_LICENCES.some((one) => one === id);
}
