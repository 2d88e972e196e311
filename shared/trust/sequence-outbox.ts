import type { Deps } from "../platform/deps.ts";
import { type SequencedListener, sequenceEvents } from "./events/sequence-events.ts";
import { addDeliveries } from "./webhooks/messages.ts";

/** What does more for each agent that is told of an event, in the transaction that gives out its position. */
const LISTENERS: readonly SequencedListener[] = [addDeliveries];

/** Tells agents of every change that was committed; returns how many parts were told. */
export async function sweepEventOutbox(deps: Deps): Promise<number> {
  return await sequenceEvents(deps, LISTENERS);
}
