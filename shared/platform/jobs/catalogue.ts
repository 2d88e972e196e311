import { createHash } from "node:crypto";
import { z } from "zod";

/**
 * A feed's key as jobs name it. The slug of a section is a text of its agent, and jobs and the log outlive an erasure: a
 * hash takes its place.
 */
export function nameFeed(key: string): string {
  const [kind, agentId, slug = ""] = key.split(":");
  if (kind !== "section" || slug.startsWith("#")) return key;
  return `section:${agentId}:#${createHash("sha256").update(key).digest("hex").slice(0, 32)}`;
}

/** What every job may carry besides its ids: the request that enqueued it, and that request's trace. */
const REQUEST_CONTEXT = {
  request_id: z.string().max(64).optional(),
  traceparent: z.string().max(64).optional(),
};
const Ulid = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/);
const Attempt = z.int().min(1);
const ASSET = { asset_id: Ulid, attempt: Attempt };

/**
 * Every job of the service. A job carries ids only, may run twice, and reads everything else from rows.
 * `worker` is the name that `npm run workers -- NAME` takes. Work that the clock starts is a sweep
 * (shared/care/sweeps.ts).
 */
export const CATALOGUE = {
  "inspect-asset": job("inspect", ASSET, { row: "asset_id", attempts: 5, timeoutSeconds: 3_600 }),
  // Measuring runs at low priority.
  "measure-asset": job("inspect", ASSET, { row: "asset_id", attempts: 10, timeoutSeconds: 3_600 }),
  // A job makes what readers asked for before it makes its own.
  "write-parquet": job(
    "inspect",
    { asset_id: Ulid },
    {
      onePer: "asset_id",
      attempts: 10,
      timeoutSeconds: 3_600,
      lost: { afterMs: 120_000, counts: "ordered_parquet" },
    },
  ),
  "compare-files": job(
    "inspect",
    { revision_id: Ulid },
    {
      onePer: "revision_id",
      attempts: 10,
      timeoutSeconds: 600,
      lost: { afterMs: 60_000, counts: "enqueued_comparisons" },
    },
  ),
  "ask-again": job(
    "inspect",
    { revision_id: Ulid },
    {
      onePer: "revision_id",
      attempts: 10,
      timeoutSeconds: 120,
      lost: { afterMs: 60_000, counts: "enqueued_questions" },
    },
  ),
  "ask-standing": job(
    "inspect",
    { creation_id: Ulid },
    {
      onePer: "creation_id",
      attempts: 10,
      timeoutSeconds: 600,
      lost: { afterMs: 60_000, counts: "asked_standing" },
    },
  ),
  "draw-blocks": job(
    "draw",
    // Processes of 0.4.0 expect the number of an attempt.
    { of: z.enum(["creation", "profile"]), revision_id: Ulid, attempt: Attempt },
    {
      onePer: "revision_id",
      attempts: 10,
      timeoutSeconds: 60,
      lost: { afterMs: 60_000, counts: "enqueued_drawings" },
    },
  ),
  "build-feed": job(
    "feed",
    { feed_key: z.string().min(1).max(200).transform(nameFeed) },
    // Ten tries take minutes, and five a quarter of one, which a database may take to start again.
    {
      onePer: "feed_key",
      attempts: 10,
      timeoutSeconds: 60,
      lost: { afterMs: 15_000, counts: "enqueued_feeds" },
    },
  ),
  "notify-hub": job(
    "feed",
    { creation_id: Ulid },
    {
      onePer: "creation_id",
      attempts: 3,
      timeoutSeconds: 30,
      lost: { afterMs: 120_000, counts: "notified_hub" },
    },
  ),
  "make-export": job(
    "purge",
    { export_id: Ulid },
    { onePer: "export_id", attempts: 5, timeoutSeconds: 3_600 },
  ),
};

/** How a job is tried. */
type Rules<Ids extends z.ZodRawShape> = {
  /** How many tries a job has before it becomes a dead letter. */
  attempts: number;
  timeoutSeconds: number;
} & (
  | {
      /**
       * The member that names the row of the work, beside a member `attempt`: the row counts how often its
       * job was enqueued, and each attempt is a job of its own. For work with a row that counts its own
       * attempts.
       */
      row: keyof Ids & string;
      onePer?: undefined;
      lost?: undefined;
    }
  | {
      /** A member: for each of its values, at most one job runs and one waits; a further one is dropped. */
      onePer: keyof Ids & string;
      row?: undefined;
      /**
       * Where the work is noted until it is done (shared/platform/pending-work): how long after its order the job counts as
       * lost, and the name of the count of those that are enqueued again.
       */
      lost?: { afterMs: number; counts: string };
    }
);

/**
 * Defines one job: its worker, the members of its payload (ids; every job also carries its request), its
 * rules.
 */
function job<Ids extends z.ZodRawShape>(worker: WorkerName, ids: Ids, rules: Rules<Ids>) {
  return { worker, payload: z.strictObject({ ...ids, ...REQUEST_CONTEXT }), ...rules };
}

export const WORKERS = ["inspect", "draw", "publish", "purge", "feed", "deliver"] as const;
export type WorkerName = (typeof WORKERS)[number];

export type JobName = keyof typeof CATALOGUE;
export const JOB_NAMES = Object.keys(CATALOGUE) as JobName[];
export type JobPayload<Name extends JobName> = z.infer<(typeof CATALOGUE)[Name]["payload"]>;
