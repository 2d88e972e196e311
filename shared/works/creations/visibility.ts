import type { Tx } from "../../../sql/connection/pool.ts";
import { deleteArtworksOf } from "../../../sql/datasets/artworks.ts";
import { type CreationRow, setCreationPrivate, setCreationVisibility } from "../../../sql/works/creations.ts";
import { endReplacedPreviews } from "../../../sql/works/previews.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import { cancelPendingSchedule } from "../../../sql/works/schedules.ts";
import { refuse } from "../../ground/errors.ts";
import { enqueueFeeds, feedKeysOf } from "../../identity/mark-feeds-stale.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { requireValue } from "../../requests/explain.ts";
import { DEFAULT_PAYLOAD_OPTIONS } from "../../requests/options.ts";
import { parseEmptyRequest, parseVisibilityRequest } from "../../requests/parse-publishing.ts";
import type { PublicVisibility } from "../../requests/publishing.ts";
import { toWritten } from "./publish.ts";
import { type CreationSubject, creationSubject } from "./subject.ts";

/** POST /creations/{creation}/visibility: public or unlisted, without a new revision. */
export const changeVisibility: WriteKind<PublicVisibility, CreationSubject> = {
  ...creationSubject,
  keyed: "always",
  versioned: true,
  prepare: async (_deps, _caller, body) =>
    requireValue(parseVisibilityRequest(body, DEFAULT_PAYLOAD_OPTIONS)),
  async perform(tx, deps, agent, visibility, { creation }) {
    if (creation.visibility === "private") {
      const mend =
        creation.first_published_at === null
          ? "Publish it first."
          : "It was unpublished: restore publishes an earlier revision again, public or unlisted.";
      throw refuse("not_published", "The creation is not published.", mend);
    }
    if (creation.visibility === visibility) {
      const unchanged = { before: creation, after: creation };
      const same = await toWritten(tx, deps, agent, unchanged, "creation.visibility", { visibility });
      return { ...same, raisedBy: 0 };
    }
    const after = await setCreationVisibility(tx, creation.id, visibility);
    const changed = { before: creation, after };
    const written = await toWritten(tx, deps, agent, changed, "creation.visibility", { visibility });
    await enqueueFeedsOf(tx, deps, creation);
    return written;
  },
};

/** POST /creations/{creation}/unpublish: closes the page and the files at once. */
export const unpublishCreation: WriteKind<object, CreationSubject> = {
  ...creationSubject,
  keyed: "always",
  versioned: true,
  prepare: async (_deps, _caller, body) => requireValue(parseEmptyRequest(body, DEFAULT_PAYLOAD_OPTIONS)),
  async perform(tx, deps, agent, _body, { creation }) {
    const after = await takeOffSite(tx, deps, creation);
    const written = await toWritten(tx, deps, agent, { before: creation, after }, "creation.unpublish");
    return { ...written, raisedBy: creation.visibility === "private" ? 0 : 1 };
  },
};

/**
 * Makes a creation private in the caller's transaction, which locks agent and creation; a private one stays
 * unchanged.
 */
export async function takeOffSite(tx: Tx, deps: Deps, creation: CreationRow): Promise<CreationRow> {
  if (creation.visibility === "private") return creation;
  await cancelPendingSchedule(tx, creation.id, "Cancelled by unpublishing.", deps.now());
  await endReplacedPreviews(tx, creation.id, deps.now());
  const after = await setCreationPrivate(tx, creation.id);
  await deleteArtworksOf(tx, creation.id);
  await enqueueFeedsOf(tx, deps, creation);
  return after;
}

/** Marks the feeds that show, or showed, a creation. */
export async function enqueueFeedsOf(tx: Tx, deps: Deps, creation: CreationRow): Promise<void> {
  const live =
    creation.live_revision_id === null ? null : await findRevisionById(tx, creation.live_revision_id);
  await enqueueFeeds(tx, deps, feedKeysOf(creation.agent_id, [live?.section ?? null]));
}
