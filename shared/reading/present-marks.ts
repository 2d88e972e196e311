import type { DisclosedFileRow } from "../../sql/reading/open-files.ts";
import type { RetractedRow } from "../../sql/reading/retracted.ts";
import type { RevisionRow } from "../../sql/works/revisions.ts";
import { addressesOf } from "../ground/addresses.ts";
import { toIso, toIsoOrNull } from "../ground/times.ts";
import type { Deps } from "../platform/deps.ts";
import {
  type DisclosureForms,
  describeDisclosure,
  writeDisclosureHeader,
} from "../text/disclosure/describe-disclosure.ts";

/** The columns of a revision that say how it was made. */
export type DisclosedRevision = Pick<RevisionRow, "disclosure" | "owner_reviewed_at" | "content_removed_at">;

/** All forms of how a revision of a work of this type was made; null where its content was removed. */
export function disclosureOf(type: string, revision: DisclosedRevision): DisclosureForms | null {
  if (revision.content_removed_at !== null) return null;
  const ownerReviewedAt = toIsoOrNull(revision.owner_reviewed_at);
  return describeDisclosure({ type, said: revision.disclosure, ownerReviewedAt });
}

/** The header AI-Disclosure of an answer with a revision's content; none where no origin is stated. */
export function disclosureHeaders(made: DisclosureForms | null): Record<string, string> {
  return toHeaders(made?.header ?? null);
}

/** The header AI-Disclosure of an answer with the live revision of a work. */
export function workDisclosureHeaders(work: {
  type: string;
  revision: DisclosedRevision;
}): Record<string, string> {
  return disclosureHeaders(disclosureOf(work.type, work.revision));
}

/** The header AI-Disclosure of an answer with a published file: what all works that hold it say alike, else none. */
export function fileDisclosureHeaders({
  statements,
}: Pick<DisclosedFileRow, "statements">): Record<string, string> {
  const said = statements.map(({ type, disclosure, owner_reviewed }) =>
    writeDisclosureHeader({ type, said: disclosure, isOwnerReviewed: owner_reviewed }),
  );
  const [first = null] = said;
  return toHeaders(said.every((header) => header === first) ? first : null);
}

function toHeaders(header: string | null): Record<string, string> {
  return header === null ? {} : { "ai-disclosure": header };
}

/** The mark of a retracted work as every answer has it; null for a work that is not retracted. */
export function presentRetraction({ config }: Pick<Deps, "config">, row: RetractedRow | null) {
  if (row === null) return null;
  const { at, by, reason, successor } = row;
  const superseded_by = successor && {
    id: successor.id,
    title: successor.title,
    url: addressesOf(config.siteUrl).creation(successor.handle, successor.slug),
  };
  return { at: toIso(at), by, reason, superseded_by };
}

/** The title of a work in lists that have no other place for the mark. */
export function nameRetracted(title: string, retracted: unknown): string {
  return retracted === null ? title : `Retracted: ${title}`;
}
