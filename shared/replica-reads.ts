import { type Replica, ReplicaSilent } from "../sql/connection/replica.ts";
import type { Deps } from "./deps.ts";

type Reader = Pick<Deps, "replica" | "metrics">;

/** How something is read whose body a replica may carry. */
export interface PartsOfRead<Head, Body, Whole> {
  /** All of it, from the primary. */
  whole(): Promise<Whole | null>;
  /** All but the body, from the primary: whether it may be seen, and which body it has. Null: it may not. */
  head(): Promise<Head | null>;
  /** The body that the head names; null where the replica does not have it. */
  body(replica: Replica, head: Head): Promise<Body | null>;
  join(head: Head, body: Body): Whole;
  /** What a head without any body is in whole; null for a head that has one. */
  bare?(head: Head): Whole | null;
}

/**
 * Reads something whose body never changes under its name: the primary tells its state, a replica that is up its body.
 * What the replica lacks, or does not tell in time, is read whole from the primary, with its state of that moment.
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

/** Asks a replica for a body, and counts what came of it; null where the primary has to be asked. */
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
