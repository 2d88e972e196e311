import type { PresentedRow } from "../../../sql/works/presented-creations.ts";
import type { RevisionRow } from "../../../sql/works/revisions.ts";
import { SCHEDULE_CANCELLED } from "./make-public.ts";

/**
 * The whole of a creation that this transaction made, which nobody else has named, scheduled or published; null where
 * the answer has to be asked for, as it has files.
 */
export function toNewDraft(revision: RevisionRow): PresentedRow | null {
  const mayHaveFiles = "attachments" in (revision.payload ?? {});
  if (revision.revision_number !== 1 || mayHaveFiles) return null;
  return { ...revision, live: null, schedule: null, collections: [], files: [] };
}

/** The latest revision of a creation as it is once it was published at `nowMs`. */
export function toPublished(latest: PresentedRow, nowMs: number): PresentedRow {
  const { id, revision_number, title, section, checksum, schedule } = latest;
  const published = { state: "published", published_at: nowMs } as const;
  const cancelled = { status: "cancelled", outcome_detail: SCHEDULE_CANCELLED, completed_at: nowMs } as const;
  return {
    ...latest,
    ...published,
    live: { id, revision_number, title, section, checksum, ...published },
    schedule: schedule?.status === "pending" ? { ...schedule, ...cancelled } : schedule,
  };
}
