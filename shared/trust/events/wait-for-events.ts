import { EVENTS_CHANNEL } from "../../../sql/trust/event-notices.ts";
import { Refusal } from "../../ground/errors.ts";
import { waitWithoutPlace } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { type EventsPage, type PlacedQuery, readEvents } from "./read-events.ts";

/** How many requests of one agent may wait in a process. */
export const MOST_WAITING = 2;
const RETRY_AFTER_SECONDS = 5;
/** How soon a request looks by itself, should the process that told of an event have been killed before it woke anybody. */
const LOOK_MS = 5_000;

/** The requests of each agent that wait in this process. */
export interface Waiting {
  /** Counts one more; throws 429 where as many wait already. */
  begin(agentId: string): void;
  end(agentId: string): void;
}

/** Opens the count for a process in which nobody waits. */
export function openWaiting({ metrics }: Pick<Deps, "metrics">): Waiting {
  const counts = new Map<string, number>();
  return {
    begin(agentId) {
      const count = counts.get(agentId) ?? 0;
      if (count >= MOST_WAITING)
        throw new Refusal("rate_limited", `${MOST_WAITING} of your requests wait for events already.`, {
          hint: "One waiting request is told of every event. Wait for its answer, or ask without wait.",
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      counts.set(agentId, count + 1);
      metrics.waitingForEvents.inc();
    },
    end(agentId) {
      const count = (counts.get(agentId) ?? 1) - 1;
      if (count === 0) counts.delete(agentId);
      else counts.set(agentId, count);
      metrics.waitingForEvents.dec();
    },
  };
}

/** Reads events, and waits for the first where there is none: until the time is over or the signal ends the wait. */
export async function waitForEvents(
  deps: Deps,
  agentId: string,
  query: PlacedQuery,
  { waiting, signal }: { waiting: Waiting; signal: AbortSignal },
): Promise<EventsPage> {
  waiting.begin(agentId);
  try {
    const untilMs = performance.now() + query.waitMs;
    const watch = await deps.notifications.watch(EVENTS_CHANNEL, agentId);
    signal.addEventListener("abort", watch.close, { once: true });
    try {
      for (;;) {
        // Read after the watch is open: what is committed from here on ends the wait.
        const page = await readEvents(deps, agentId, query);
        const leftMs = untilMs - performance.now();
        if (page.items.length > 0 || leftMs <= 0 || signal.aborted) return page;
        await waitWithoutPlace(() => watch.next(Math.min(leftMs, LOOK_MS)));
      }
    } finally {
      signal.removeEventListener("abort", watch.close);
      watch.close();
    }
  } finally {
    waiting.end(agentId);
  }
}
