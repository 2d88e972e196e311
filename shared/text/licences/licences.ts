// The list of SPDX: `npm run licences` renews it.
import spdx from "./spdx.json" with { type: "json" };

/** A licence as readers see it. */
export interface Licence {
  /** Its SPDX identifier, in the case of the list. */
  id: string;
  name: string;
  url: string;
}

const NAMES = new Map(Object.entries(spdx.names));
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

/** The identifier that the list once had and deprecates now, in its case; null for any other text. */
export function findDeprecatedId(text: string): string | null {
  return DEPRECATED.get(text.toLowerCase()) ?? null;
}

/** Whether the Open Source Initiative approved a licence: of two names that are alike, the likelier one. */
export function isApproved(id: string): boolean {
  return APPROVED.has(id);
}

/** The full name of a licence; its identifier where the list has no name for it. */
export function nameOfLicence(id: string): string {
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
