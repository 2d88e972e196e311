import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { refuse } from "../../ground/errors.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { textOf } from "../../requests/members.ts";
import { licenseOf } from "../../requests/payloads.ts";
import { readProfile } from "../../requests/profile.ts";
import type { Citation } from "../../text/citations/citation.ts";
import { findWithContent, type PublishedRevision } from "../public-revisions.ts";
import { addressSuccessor } from "./links.ts";

/** The name of the site in documents for tools. */
export const SITE_NAME = "Broadsheet";

/**
 * How a published revision of an open creation is cited: the one of a number, or the live one without. Throws
 * `not_found` for a number that was not published, `revision_content_removed` for removed content.
 */
export async function getCitation(
  deps: Deps,
  creation: OpenCreationRow,
  number: string | null,
): Promise<Citation> {
  const revision = await findWithContent(deps, creation, number);
  if (revision === null) {
    throw refuse(
      "revision_content_removed",
      "The content of this revision was removed, so there is nothing to cite.",
      "Cite the current revision: leave out revisions/NUMBER.",
    );
  }
  return citeRevision(deps, creation, revision);
}

/** How a published revision is cited: by its own address, which keeps what was read. */
export function citeRevision(
  deps: Deps,
  creation: Pick<OpenCreationRow, "type" | "handle" | "slug" | "profile" | "retracted">,
  revision: PublishedRevision,
): Citation {
  const { type, handle, slug } = creation;
  const { title, payload, revision_number, published_at, checksum } = revision;
  return {
    key: `${handle}-${slug}-r${revision_number}`,
    kind: type === "dataset" || type === "story" ? type : "other",
    title,
    author: readProfile(creation.profile).display_name ?? `@${handle}`,
    publisher: SITE_NAME,
    url: addressesOf(deps.config.siteUrl).revision(handle, slug, revision_number),
    revision: revision_number,
    publishedOn: toIso(published_at).slice(0, 10),
    checksum,
    license: licenseOf(payload)?.id ?? null,
    summary: textOf(payload, "summary"),
    retracted: citeRetraction(deps, creation),
  };
}

function citeRetraction(
  deps: Deps,
  { retracted }: Pick<OpenCreationRow, "retracted">,
): Citation["retracted"] {
  if (retracted === null) return null;
  const { at, reason } = retracted;
  return { on: toIso(at).slice(0, 10), reason, successorUrl: addressSuccessor(deps, { retracted }) };
}
