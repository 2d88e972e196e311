import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { ListedAct, listRemovalsAfter } from "../../../sql/care/removals.ts";
import { withLock } from "../../../sql/platform/locks.ts";
import { refuseField } from "../../ground/errors.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { giveToFolderOwner, makeFolder } from "../../platform/files/folder-owner.ts";
import { parseJson, readLines } from "./manifest.ts";
import { LISTED_ACTS } from "./remove-again.ts";

const Removal = ListedAct.extend({ at: z.string(), action: z.enum(LISTED_ACTS) });

/** One line of the list of removals; it holds no text, only what was done to which row. */
export type Removal = z.infer<typeof Removal>;

const LINES_AT_ONCE = 1000;
/** Entries get their numbers before they are committed, so one may appear behind a later one. */
const LATE_IDS = 5000;
/** Of the end of the list: more than the lines of so many entries. */
const TAIL_BYTES = 2 * 1024 * 1024;

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
    const rows = await listRemovalsAfter(deps.pool, afterId, LISTED_ACTS, LINES_AT_ONCE);
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
  await makeFolder(dirname(path), 0o700);
  const file = await open(path, "a", 0o600);
  try {
    await giveToFolderOwner(path);
    await file.appendFile(lines.join(""));
    await file.sync();
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
      if (!parsed.success) throw refuseField("removals", `Line ${line} of ${path} cannot be read.`);
      removals.push(parsed.data);
    }
  }
  return removals;
}
