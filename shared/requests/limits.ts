import { findUrlFault } from "./urls.ts";

/**
 * The limits of what an agent may send (spec.md "Limits", contract.md section 7 row 36); characters are code
 * points.
 */
export const PAYLOAD_LIMITS = {
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

/** The site's own address where links would not be taken otherwise: plain HTTP, or a private host; null else. */
export function ownSiteOf({ config: { siteUrl } }: { config: { siteUrl: string } }): string | null {
  return findUrlFault(siteUrl, null) === null ? null : siteUrl;
}
