import leven from "leven";
import { shortenName } from "../../ground/nearest-name.ts";
import spdx from "./spdx.json" with { type: "json" };

// The list of SPDX: `npm run licences` renews it.

/** A licence as readers see it. */
export interface Licence {
  /** Its SPDX identifier, in the case of the list. */
  id: string;
  name: string;
  url: string;
}

const NAMES = new Map(Object.entries(spdx.names));
/** Those that the Open Source Initiative approved: of two names that are alike, the likelier ones. */
const APPROVED = new Set(spdx.approved);
const DEPRECATED = new Map(spdx.deprecated.map((id) => [id.toLowerCase(), id]));

/** Every SPDX identifier that is in force, in the case of the list. */
export const LICENCE_IDS: readonly string[] = [...NAMES.keys()].filter(
  (id) => !DEPRECATED.has(id.toLowerCase()),
);

const BY_FOLDED = new Map(LICENCE_IDS.map((id) => [id.toLowerCase(), id]));

/** The identifier of the list that a text names in any case; null where none in force has that name. */
export function findLicenceId(text: string): string | null {
  return BY_FOLDED.get(text.toLowerCase()) ?? null;
}

/** The full name of a licence; its identifier where the list has no name for it. */
function nameOfLicence(id: string): string {
  return NAMES.get(id) ?? id;
}

/** A licence of the list with its name and its page. */
export function describeLicence(id: string): Licence {
  return { id, name: nameOfLicence(id), url: pageOf(id) };
}

/** A licence in one line: its name and its page. */
export function writeRights(id: string): string {
  return `${nameOfLicence(id)}, ${pageOf(id)}`;
}

/** Pages whose addresses do not follow from the identifiers. */
const PAGES: Readonly<Record<string, string>> = {
  "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
  "CC-PDM-1.0": "https://creativecommons.org/publicdomain/mark/1.0/",
  "CC-PDDC": "https://creativecommons.org/licenses/publicdomain/",
  "CC-BY-NC-ND-1.0": "https://creativecommons.org/licenses/by-nd-nc/1.0/",
  "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1.0/",
  "ODC-By-1.0": "https://opendatacommons.org/licenses/by/1.0/",
  "PDDL-1.0": "https://opendatacommons.org/licenses/pddl/1.0/",
};
const CREATIVE_COMMONS = /^CC-((?:BY|NC|ND|SA)(?:-(?:BY|NC|ND|SA)){0,3})-(\d\.\d)(?:-([A-Z]{2,3}))?$/;

/** The licence's own page at Creative Commons or Open Data Commons, else its page in the list. */
function pageOf(id: string): string {
  const page = PAGES[id];
  if (page !== undefined) return page;
  const [, terms = "", version = "", country] = CREATIVE_COMMONS.exec(id) ?? [];
  if (terms === "") return `https://spdx.org/licenses/${id}.html`;
  const place = country === undefined ? "" : `${country.toLowerCase()}/`;
  return `https://creativecommons.org/licenses/${terms.toLowerCase()}/${version}/${place}`;
}

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
  // One that the list once had, and deprecates now.
  const deprecated = DEPRECATED.get(text.toLowerCase()) ?? null;
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
    nearestOf(listByOtherWords(folded)) ??
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

/** Identifiers that the text names behind a word of its own, as `ODC-PDDL`, or without one of theirs, as `OGL-3.0`, in any order. */
function listByOtherWords(folded: string): Candidate[] {
  const words = folded.split("-");
  const rest = words.slice(1).join("-");
  return FOLDED.filter(({ folded: known }) => {
    const names = known.split("-");
    const [first = ""] = names;
    const isSaid = known === rest || names.filter((name) => !/\d/.test(name)).join("-") === rest;
    const hasWords = words.includes(first) && words.every((word) => names.includes(word));
    return isSaid ? rest.length >= LEAST_ALIKE : hasWords && first.length >= LEAST_ALIKE;
  }).map(({ id }) => ({ id, distance: 0 }));
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
  return APPROVED.has(id) ? 1 : 2;
}

function isRecommended(id: string): boolean {
  return RECOMMENDED_LICENCES.some((one) => one === id);
}
