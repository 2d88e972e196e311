import type { Watch } from "../../../sql/connection/notifications.ts";
import type { Tx } from "../../../sql/connection/pool.ts";
import { tryLockName } from "../../../sql/platform/locks.ts";
import { OUTBOX_CHANNEL } from "../../../sql/platform/outbox.ts";
import type { Deps } from "../deps.ts";

/** The sequencers, each with a lock of its own; the triggers of their outboxes announce new rows under the name. */
export type SequencerName = "events" | "log";

/** Whose new rows triggers announce: those of the sequencers, what is to be sent to webhooks, and questions to ask again. */
export type OutboxName = SequencerName | "deliveries" | "questions";

/** How one sequencer works off its outbox. */
export interface Sequencer {
  name: SequencerName;
  /** Works off a part of the outbox in SQL only, since the transaction may run again; 0 where nothing was left. */
  step(tx: Tx): Promise<number>;
  /** Called after each committed step. */
  afterStep?(): Promise<void>;
}

/**
 * Works off an outbox until nothing is left, step by step, each in a transaction that holds the sequencer's lock: of all
 * processes at most one gives out positions, and what it shows is committed in their order. Returns the count, 0 where
 * another process is at work.
 */
export async function runSequencer(
  deps: Pick<Deps, "pool" | "metrics">,
  { name, step, afterStep }: Sequencer,
): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await deps.pool.transaction(async (tx) =>
      (await tryLockName(tx, `sequencer:${name}`)) ? await step(tx) : 0,
    );
    if (count === 0) return total;
    deps.metrics.sequenced.inc({ sequencer: name }, count);
    await afterStep?.();
    total += count;
  }
}

/** Waits for commits to one outbox. */
export type OutboxWatch = Watch;

/** Opens a watch of an outbox. */
export async function watchOutbox(
  { notifications }: Pick<Deps, "notifications">,
  name: OutboxName,
): Promise<OutboxWatch> {
  return await notifications.watch(OUTBOX_CHANNEL, name);
}
