import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { findLastAuditId, listRemovalsAfter, skipAuditIds } from "../../../sql/care/removals.ts";
import { deletePasskey } from "../../../sql/identity/passkeys.ts";
import { withLock } from "../../../sql/platform/locks.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import { notFound, Refusal, validationFailed } from "../../ground/errors.ts";
import { toIso } from "../../ground/times.ts";
import { runAgentCommand } from "../../identity/agents/agent-states.ts";
import { COMMAND_LINE, makeAct, recordAct } from "../../identity/audit/record-act.ts";
import { runOwnerCommand } from "../../identity/owners/suspension.ts";
import type { Deps } from "../../platform/deps.ts";
import { giveToFolderOwner } from "../../platform/files/folder-owner.ts";
import { removeContent, runCreationCommand } from "../../works/creations/take-down.ts";
import { eraseAgent, eraseOwner } from "../erasure/erase-agent.ts";
import { eraseCreation } from "../erasure/erase-creation.ts";
import { endAccount } from "../owners/leave.ts";
import { parseJson, readLines } from "./manifest.ts";

/** The acts that a restore does again: what they took away must not come back with a backup from before. */
export const REMOVING_ACTS = [
  ...["revision.remove_content", "creation.unpublish", "creation.hide", "creation.unhide"],
  ...["agent.hide", "agent.unhide", "agent.suspend", "agent.unsuspend", "agent.archive"],
  ...["owner.suspend", "owner.unsuspend", "owner.leave", "passkey.remove"],
  ...["creation.erase", "agent.erase", "owner.erase"],
] as const;

const Removal = z.strictObject({
  id: z.number().int(),
  at: z.string(),
  action: z.enum(REMOVING_ACTS),
  subject_id: z.string(),
  by: z.enum(["owner", "moderator"]).nullable(),
});

/** One line of the list of removals; it holds no text, only what was done to which row. */
export type Removal = z.infer<typeof Removal>;

const LINES_AT_ONCE = 1000;
/** Entries get their numbers before they are committed, so one may appear behind a later one. */
const LATE_IDS = 5000;
/** Of the end of the list: more than the lines of so many entries. */
const TAIL_BYTES = 1024 * 1024;

/**
 * Appends to REMOVALS_FILE what was removed since its last line; returns the count. It lies beside the backups, so that
 * a restore can do again what was done after the backup. Several processes may run it: one writes at a time.
 */
export async function sweepRemovals(deps: Deps): Promise<number> {
  const path = deps.config.removalsFile;
  return (await withLock(deps.pool, { name: "removals", waits: false }, () => appendNew(deps, path))) ?? 0;
}

async function appendNew(deps: Deps, path: string): Promise<number> {
  const known = new Set((await readTail(path)).map(({ id }) => id));
  let afterId = Math.max(0, Math.max(0, ...known) - LATE_IDS);
  let count = 0;
  for (;;) {
    const rows = await listRemovalsAfter(deps.pool, afterId, REMOVING_ACTS, LINES_AT_ONCE);
    const fresh = rows.filter(({ id }) => !known.has(id));
    if (fresh.length > 0) {
      await appendDurably(
        path,
        fresh.map((row) => `${JSON.stringify({ ...row, at: toIso(row.at) })}\n`),
      );
    }
    count += fresh.length;
    afterId = rows.at(-1)?.id ?? afterId;
    if (rows.length < LINES_AT_ONCE) return count;
  }
}

async function appendDurably(path: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "a", 0o600);
  try {
    await file.appendFile(lines.join(""));
    await file.sync();
    await giveToFolderOwner(dirname(path), path);
  } finally {
    await file.close();
  }
}

/** The last lines of a list; one that a killed process left without its end is cut off, as it is written again. */
async function readTail(path: string): Promise<Removal[]> {
  const file = await open(path, "r+").catch((error) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null) return [];
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer } = await file.read({ buffer: Buffer.alloc(size - start), position: start });
    const end = buffer.lastIndexOf("\n") + 1;
    if (end < buffer.length) await file.truncate(start + end);
    const lines = buffer.toString("utf8", start === 0 ? 0 : buffer.indexOf("\n") + 1, end).split("\n");
    return lines.filter((line) => line !== "").map((line) => Removal.parse(JSON.parse(line)));
  } finally {
    await file.close();
  }
}

/** Reads a list of removals, whole; throws 422 on `removals` for a line that is none. */
export async function readRemovals(path: string): Promise<Removal[]> {
  const removals: Removal[] = [];
  let line = 0;
  for await (const lines of readLines(path, LINES_AT_ONCE)) {
    for (const text of lines) {
      line++;
      const parsed = Removal.safeParse(parseJson(text));
      if (!parsed.success) throw validationFailed({ removals: [`Line ${line} of ${path} cannot be read.`] });
      removals.push(parsed.data);
    }
  }
  return removals;
}

const REASON = "Done again after a restore: it was done after the backup.";

/**
 * Does again, in a database that was just restored, what a list says was removed after its backup; what is not there or
 * is removed already is passed over. Returns how many were done.
 */
export async function removeAgain(deps: Deps, removals: readonly Removal[]): Promise<number> {
  const lastId = await findLastAuditId(deps.pool);
  const later = removals.filter(({ id }) => id > lastId).toSorted((one, other) => one.id - other.id);
  // New entries must not take the numbers of those in the list, or the list would count them as known.
  await skipAuditIds(deps.pool, later.at(-1)?.id ?? lastId);
  let count = 0;
  for (const removal of later) {
    try {
      await doAgain(deps, removal);
      count++;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return count;
}

async function doAgain(deps: Deps, removal: Removal): Promise<void> {
  const { action, subject_id: id } = removal;
  switch (action) {
    case "revision.remove_content":
      await removeLiveToo(deps, id, removal.by ?? "owner");
      break;
    case "creation.unpublish":
    case "creation.hide":
    case "creation.unhide":
      await runCreationCommand(deps, COMMAND_LINE, id, verbOf(action), REASON);
      break;
    case "owner.suspend":
    case "owner.unsuspend":
      await runOwnerCommand(deps, COMMAND_LINE, id, verbOf(action), REASON);
      break;
    case "creation.erase":
      await eraseCreation(deps, COMMAND_LINE, id, REASON);
      break;
    case "agent.erase":
      await eraseAgent(deps, COMMAND_LINE, id, REASON);
      break;
    case "owner.erase":
      await eraseOwner(deps, COMMAND_LINE, id, REASON);
      break;
    case "owner.leave":
      await endAccount(deps, COMMAND_LINE, id);
      break;
    case "passkey.remove":
      await removePasskey(deps, id);
      break;
    default:
      await runAgentCommand(deps, COMMAND_LINE, id, verbOf(action), REASON);
  }
}

/** A revision that was replaced after the backup is live again, so its creation is taken off the site first. */
async function removeLiveToo(deps: Deps, revisionId: string, by: "owner" | "moderator"): Promise<void> {
  try {
    await removeContent(deps, COMMAND_LINE, revisionId, by, REASON);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "invalid_revision_state") throw error;
    const revision = await findRevisionById(deps.pool, revisionId);
    await runCreationCommand(deps, COMMAND_LINE, revision?.creation_id ?? "", "unpublish", REASON);
    await removeContent(deps, COMMAND_LINE, revisionId, by, REASON);
  }
}

async function removePasskey(deps: Deps, id: string): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    if (!(await deletePasskey(tx, null, id))) throw notFound("passkey");
    await recordAct(tx, COMMAND_LINE, makeAct("passkey", id, "passkey.remove"), deps.now());
  });
}

type VerbOf<Action extends string> = Action extends `${string}.${infer Verb}` ? Verb : never;

function verbOf<Action extends Removal["action"]>(action: Action): VerbOf<Action> {
  return action.slice(action.indexOf(".") + 1) as VerbOf<Action>;
}
