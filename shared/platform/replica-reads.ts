import { type Replica, ReplicaSilent } from "../../sql/connection/replica.ts";
import type { Deps } from "./deps.ts";

type Reader = Pick<Deps, "replica" | "metrics">;

/** The ways to read a resource whose body a replica may serve. */
export interface PartsOfRead<Head, Body, Whole> {
  /** The complete resource, from the primary. */
  whole(): Promise<Whole | null>;
  /**
   * The resource without its body, from the primary: its state and the name of its body. Null where it may
   * not be seen.
   */
  head(): Promise<Head | null>;
  /** The body that the head names; null where the replica lacks it. */
  body(replica: Replica, head: Head): Promise<Body | null>;
  join(head: Head, body: Body): Whole;
  /** The complete resource of a head without a body; null for a head that has one. */
  bare?(head: Head): Whole | null;
}

/**
 * Reads a resource whose body never changes under its name: its state from the primary, its body from a
 * replica that is up. A body that the replica lacks or does not return in time is read from the primary,
 * together with the state at that time.
 */
export async function readByParts<Head, Body, Whole>(
  deps: Reader,
  parts: PartsOfRead<Head, Body, Whole>,
): Promise<Whole | null> {
  const { replica, metrics } = deps;
  if (replica === null) return await parts.whole();
  if (!replica.isUp()) {
    metrics.bodyReads.inc({ source: "primary", reason: "away" });
    return await parts.whole();
  }
  const head = await parts.head();
  if (head === null) return null;
  const bare = parts.bare?.(head) ?? null;
  if (bare !== null) return bare;
  const body = await askReplica(deps, replica, () => parts.body(replica, head));
  return body === null ? await parts.whole() : parts.join(head, body);
}

/** Asks a replica for a body and counts the outcome; null where the primary must be asked. */
export async function askReplica<Body>(
  { metrics }: Pick<Deps, "metrics">,
  replica: Replica,
  ask: (replica: Replica) => Promise<Body | null>,
): Promise<Body | null> {
  try {
    const body = await ask(replica);
    const found = { source: "replica", reason: "found" } as const;
    metrics.bodyReads.inc(body === null ? { source: "primary", reason: "missing" } : found);
    return body;
  } catch (error) {
    if (!(error instanceof ReplicaSilent)) throw error;
    metrics.bodyReads.inc({ source: "primary", reason: error.reason });
    return null;
  }
}
