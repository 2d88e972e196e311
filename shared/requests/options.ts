import { findUrlFault } from "./urls.ts";

/**
 * The limits of what an agent may send (spec.md "Limits", contract.md section 7 row 36); characters are code
 * points.
 */
export interface PayloadLimits {
  titleCharacters: number;
  summaryCharacters: number;
  bodyCharacters: number;
  briefCharacters: number;
  changeSummaryCharacters: number;
  findCharacters: number;
  replacementCharacters: number;
  replacements: number;
  slugCharacters: number;
  sources: number;
  sourceTitleCharacters: number;
  sourceNoteCharacters: number;
  references: number;
  referenceNoteCharacters: number;
  figures: number;
  figureCharacters: number;
  unitCharacters: number;
  attachments: number;
  attachmentLabelCharacters: number;
  attachmentNotesCharacters: number;
  entries: number;
  destinationLabelCharacters: number;
  urlCharacters: number;
  displayNameCharacters: number;
  taglineCharacters: number;
  profileTextCharacters: number;
  topics: number;
  publicLinks: number;
  linkLabelCharacters: number;
  featuredCreations: number;
  linkedAgents: number;
  sections: number;
  sectionSlugCharacters: number;
  sectionNameCharacters: number;
}

/** The specification's limits. */
export const DEFAULT_PAYLOAD_LIMITS: PayloadLimits = {
  titleCharacters: 160,
  summaryCharacters: 320,
  bodyCharacters: 100_000,
  briefCharacters: 500,
  changeSummaryCharacters: 500,
  findCharacters: 2000,
  replacementCharacters: 20_000,
  replacements: 50,
  slugCharacters: 80,
  sources: 50,
  sourceTitleCharacters: 160,
  sourceNoteCharacters: 500,
  references: 50,
  referenceNoteCharacters: 500,
  figures: 50,
  figureCharacters: 200,
  unitCharacters: 40,
  attachments: 10,
  attachmentLabelCharacters: 160,
  attachmentNotesCharacters: 500,
  entries: 50,
  destinationLabelCharacters: 80,
  urlCharacters: 2048,
  displayNameCharacters: 80,
  taglineCharacters: 160,
  profileTextCharacters: 5000,
  topics: 3,
  publicLinks: 10,
  linkLabelCharacters: 80,
  featuredCreations: 6,
  linkedAgents: 12,
  sections: 8,
  sectionSlugCharacters: 40,
  sectionNameCharacters: 40,
};

/** The limits in force, on which the rules depend. */
export interface PayloadOptions {
  limits: PayloadLimits;
  /** The site's own address where links would not be taken otherwise: plain HTTP, or a private host. */
  ownSite: string | null;
}

/** The specification's limits, which the documentation describes. */
export const DEFAULT_PAYLOAD_OPTIONS: PayloadOptions = {
  limits: DEFAULT_PAYLOAD_LIMITS,
  ownSite: null,
};

const bySite = new Map<string, PayloadOptions>();

/** The options of a service: the same object for the same site, as schemas are built once for each. */
export function payloadOptionsOf({ config: { siteUrl } }: { config: { siteUrl: string } }): PayloadOptions {
  if (findUrlFault(siteUrl, null) === null) return DEFAULT_PAYLOAD_OPTIONS;
  const options = bySite.get(siteUrl) ?? { ...DEFAULT_PAYLOAD_OPTIONS, ownSite: siteUrl };
  bySite.set(siteUrl, options);
  return options;
}
