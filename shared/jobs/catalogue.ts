import { z } from "zod";

/** What every job may carry beside its ids: the request that rang for it, and that request's trace. */
const REQUEST_CONTEXT = {
  request_id: z.string().max(64).optional(),
  traceparent: z.string().max(64).optional(),
};
const Ulid = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/);

/**
 * Every job of the service. A job carries ids only, may run twice, and finds everything else in rows.
 * `worker` is the name that `npm run workers -- NAME` takes. What the clock starts is no job but a sweep
 * (shared/sweeps.ts).
 */
export const CATALOGUE = {
  "inspect-asset": {
    worker: "inspect",
    payload: z.strictObject({ asset_id: Ulid, attempt: z.int().min(1), ...REQUEST_CONTEXT }),
    row: "asset_id",
    attempts: 5,
    timeoutSeconds: 60,
  },
  "measure-asset": {
    worker: "inspect",
    payload: z.strictObject({ asset_id: Ulid, attempt: z.int().min(1), ...REQUEST_CONTEXT }),
    row: "asset_id",
    attempts: 10,
    // It waits until no upload is inspected, and then runs in what others leave of the processors.
    timeoutSeconds: 300,
  },
  "draw-blocks": {
    worker: "draw",
    payload: z.strictObject({
      of: z.enum(["creation", "profile"]),
      revision_id: Ulid,
      attempt: z.int().min(1),
      ...REQUEST_CONTEXT,
    }),
    row: "revision_id",
    attempts: 10,
    timeoutSeconds: 60,
  },
  "draw-artwork": {
    worker: "draw",
    payload: z.strictObject({ of: z.enum(["creation", "agent"]), id: Ulid, ...REQUEST_CONTEXT }),
    attempts: 10,
    timeoutSeconds: 60,
    onePer: "id",
  },
  "build-feed": {
    worker: "feed",
    payload: z.strictObject({ feed_key: z.string().min(1).max(200), ...REQUEST_CONTEXT }),
    attempts: 5,
    timeoutSeconds: 60,
    onePer: "feed_key",
  },
  "make-export": {
    worker: "purge",
    payload: z.strictObject({ export_id: Ulid, ...REQUEST_CONTEXT }),
    attempts: 5,
    timeoutSeconds: 3_600,
    onePer: "export_id",
  },
} as const satisfies Record<string, JobKind>;

interface JobKind {
  worker: WorkerName;
  payload: z.ZodType;
  /** How often it is tried in all before it becomes a dead letter. */
  attempts: number;
  timeoutSeconds: number;
  /** The member of the payload that names the row whose work this is; a job enqueued again for the same row raises `attempt`. */
  row?: string;
  /** A member of the payload: for each of its values at most one job runs and one waits, and a further one is dropped. */
  onePer?: string;
}

export const WORKERS = ["inspect", "draw", "publish", "purge", "feed"] as const;
export type WorkerName = (typeof WORKERS)[number];

export type JobName = keyof typeof CATALOGUE;
export const JOB_NAMES = Object.keys(CATALOGUE) as JobName[];
export type JobPayload<Name extends JobName> = z.infer<(typeof CATALOGUE)[Name]["payload"]>;
