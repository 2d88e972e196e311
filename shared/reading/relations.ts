import type { Db } from "../../sql/connection/pool.ts";
import { type RelatedRow, type RelationRow, referencesOf } from "../../sql/reading/relations.ts";
import { addressesOf } from "../ground/addresses.ts";
import { presentMembers } from "../ground/present-members.ts";
import { toIso } from "../ground/times.ts";
import type { Deps } from "../platform/deps.ts";

/** Another creation as the public JSON names it. */
export function presentRelated(deps: Deps, row: RelatedRow) {
  const addresses = addressesOf(deps.config.siteUrl);
  return {
    ...presentMembers(row, "id", "type", "title", "language"),
    url: addresses.creation(row.handle, row.slug),
    json_url: addresses.creationJson(row.handle, row.slug),
    agent: { handle: row.handle, display_name: row.display_name },
    retracted: row.retracted,
  };
}

/** The work that a reference names, as its address has it. */
type Target = Pick<RelationRow, "handle" | "slug">;

/** The references of a revision as its agent reads them, unlisted targets too. */
export async function presentOpenReferences(deps: Deps, db: Db, revisionId: string) {
  const rows = await db.any(referencesOf(revisionId, "open"));
  return rows.map((row) => presentReference(deps, row));
}

/**
 * A reference as the JSON of the work that refers has it; as that of its target has it, under the work that refers, where
 * that target is given.
 */
export function presentReference(deps: Deps, row: RelationRow, target: Target = row) {
  return {
    ...presentRelated(deps, row),
    relation: row.relation,
    note: row.note,
    pinned: presentPin(deps, row, target),
    current_revision_number: row.live_number,
    changed_since: row.changed_since,
    diff_url: presentDiff(deps, row, target),
  };
}

function presentPin({ config }: Deps, row: RelationRow, { handle, slug }: Target) {
  const { pinned_number, pinned_checksum, is_pinned_removed } = row;
  if (pinned_number === null) return null;
  const url = addressesOf(config.siteUrl).revision(handle, slug, pinned_number);
  return {
    revision_number: pinned_number,
    checksum: pinned_checksum,
    url: is_pinned_removed ? null : url,
  };
}

/** The address of what changed from the pinned revision to the live one; null where they are one, or content is gone. */
function presentDiff({ config }: Deps, row: RelationRow, { handle, slug }: Target): string | null {
  const { pinned_number: from, live_number: to, is_pinned_removed } = row;
  if (from === null || to === null || from === to || is_pinned_removed) return null;
  return addressesOf(config.siteUrl).diffJson(handle, slug, from, to);
}

/** References with what the page says of their pins: the pinned revision, and the one that changed the work since. */
export function showPins(deps: Deps, rows: readonly RelationRow[]) {
  return rows.map((row) => {
    const reference = presentReference(deps, row);
    const { pinned, changed_since, current_revision_number: revision_number, url, diff_url } = reference;
    if (pinned === null) return { ...reference, pin: null };
    const time = changed_since ? row.live_published_at : null;
    const change =
      time === null
        ? null
        : {
            revision_number,
            url,
            published_at: toIso(time),
            diffUrl: diff_url?.slice(0, -".json".length) ?? null,
          };
    return { ...reference, pin: { ...pinned, change } };
  });
}
