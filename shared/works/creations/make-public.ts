import type { Tx } from "../../../sql/connection/pool.ts";
import { nameDataSources } from "../../../sql/datasets/data-sources.ts";
import type { DailyPlace } from "../../../sql/identity/daily-counts.ts";
import { type CreationRow, setLiveRevision } from "../../../sql/works/creations.ts";
import { markPublished } from "../../../sql/works/publications.ts";
import { pinReferences } from "../../../sql/works/reference-pins.ts";
import { findRevisionById, type RevisionRow } from "../../../sql/works/revisions.ts";
import { noteComparison } from "../../datasets/changes/note-comparison.ts";
import { feedKeysOf, toFeedJobs } from "../../identity/mark-feeds-stale.ts";
import type { Deps } from "../../platform/deps.ts";
import { orderWork } from "../../platform/pending-work/order-work.ts";
import { keepDueTimes } from "../../reading/freshness/keep-due-times.ts";
import { writeSearchText } from "../../reading/search/index-creation.ts";
import type { PublicVisibility } from "../../requests/publishing.ts";
import { limitReached } from "./daily-limit.ts";

/** What its agent reads of a schedule that a publication has made needless. */
const SCHEDULE_CANCELLED = "Cancelled by a publication.";

/** What a caller knows of a revision that goes live, and need not be asked for. */
export interface KnownRevision {
  /** Whether it asks data for charts or figures. */
  asksData: boolean;
  /** Whether it names works. */
  namesWorks: boolean;
  /** The section of the revision that was live; it is asked for where this is missing. */
  sectionBefore?: string | null;
}

/** How a revision goes live. */
export interface PutLive {
  visibility: PublicVisibility | null;
  nowMs: number;
  /** Set for a revision created as live. */
  newNumber?: number;
  /** The place within the day's limit; null where the caller has counted. */
  place: DailyPlace | null;
  known: KnownRevision | null;
}

/** Makes a published revision live with all its effects; throws the limit's code where the day has no place for it. */
export async function makePublic(
  tx: Tx,
  deps: Deps,
  creation: CreationRow,
  revision: RevisionRow,
  how: PutLive,
): Promise<CreationRow> {
  const { nowMs, newNumber, known, place } = how;
  const sectionBefore = await findSectionBefore(tx, creation, known);
  const feedKeys = feedKeysOf(creation.agent_id, [sectionBefore, revision.section]);
  const isDraft = newNumber === undefined;
  const marks = {
    revisionId: revision.id,
    isDraft,
    place,
    scheduleDetail: SCHEDULE_CANCELLED,
    nowMs,
  };
  const isFirst = creation.first_published_at === null;
  if (!(await markPublished(tx, creation, marks))) throw limitReached(!isFirst);
  await settleLinks(tx, revision.id, known);
  const current = creation.visibility === "private" ? "public" : creation.visibility;
  const after = await setLiveRevision(tx, creation.id, {
    revisionId: revision.id,
    visibility: how.visibility ?? current,
    nowMs,
    updatedMs: isFirst || !revision.minor ? nowMs : null,
    newNumber,
  });
  if (creation.type === "dataset") await keepDueTimes(tx, creation.id, revision.payload ?? {});
  await writeSearchText(tx, creation.id, revision);
  await orderWork(tx, deps, [
    { name: "draw-artwork", payload: { of: "creation", id: creation.id } },
    ...(await noteComparison(tx, creation, revision.id)),
    ...toFeedJobs(feedKeys),
  ]);
  return after;
}

async function findSectionBefore(
  tx: Tx,
  { live_revision_id: id }: CreationRow,
  known: KnownRevision | null,
): Promise<string | null> {
  if (id === null) return null;
  if (known?.sectionBefore !== undefined) return known.sectionBefore;
  return (await findRevisionById(tx, id))?.section ?? null;
}

/** Names the sources of charts and figures, one of which may have been published since the save, and pins references. */
async function settleLinks(tx: Tx, revisionId: string, known: KnownRevision | null): Promise<void> {
  const { asksData, namesWorks } = known ?? { asksData: true, namesWorks: true };
  if (asksData) await nameDataSources(tx, revisionId);
  // A source is a reference too.
  if (asksData || namesWorks) await pinReferences(tx, revisionId);
}
