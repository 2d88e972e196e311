import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Pool } from "../../../sql/connection/pool.ts";
import { lockName } from "../../../sql/platform/locks.ts";
import { findWitnessedLog, type WitnessedLogRow } from "../../../sql/trust/witnessed-logs.ts";
import { readIfThere, stageKeyFile } from "../../identity/credentials/key-files.ts";
import type { Config } from "../../platform/config.ts";
import type { Deps } from "../../platform/deps.ts";
import { publicKeyOf } from "../../text/transparency-log/signed-note.ts";

/** What this service cosigned last with each key of each log, as its own disk knows it: a restored database may have forgotten. */
type CosignedSizes = Map<string, { size: number; root: string }>;

const LINE = /^(\d{1,16}) ([0-9a-f]{64}|-) (\S+ .+)$/s;

/** Whether more of a log was cosigned than the database knows of, or something else; the row must be no older than the file. */
export function isForgotten(sizes: CosignedSizes, log: WitnessedLogRow): boolean {
  const known = sizes.get(nameOf(log));
  if (known === undefined) return true;
  return (
    known.size > log.size || (known.size === log.size && known.root !== rootOf(log) && known.root !== NONE)
  );
}

/** Whether the file has what the database says of a log. */
export function isSaved(sizes: CosignedSizes, log: WitnessedLogRow): boolean {
  const known = sizes.get(nameOf(log));
  return known?.size === log.size && known.root === rootOf(log);
}

/**
 * Writes what the database says of a log into the file, on the disk before this returns. Only where a key begins a log the
 * file gets a line for both, and no line goes back: the database may be the one that has forgotten.
 */
export async function saveCosignedSize(
  { config, pool }: Pick<Deps, "config"> & { pool: Pick<Pool, "transaction"> },
  origin: string,
  begins = false,
): Promise<void> {
  await pool.transaction(async (tx) => {
    // Whoever comes last has seen the newest row.
    await lockName(tx, "witness:sizes");
    const log = await findWitnessedLog(tx, origin);
    if (log === null) return;
    const sizes = await readSizes(config);
    const known = sizes.get(nameOf(log));
    const goesOn = known === undefined ? begins : !begins && (known.root === NONE || known.size < log.size);
    if (!goesOn) return;
    sizes.set(nameOf(log), { size: log.size, root: rootOf(log) });
    const text = [...sizes].map(([name, { size, root }]) => `${size} ${root} ${name}\n`).join("");
    const path = pathOf(config);
    const fault = `${path} cannot be written: let this user write there.`;
    await stageKeyFile(config, { path, text, fault }, rename);
  });
}

const NONE = "-";

/** No key signs two histories of a log, whatever its name, which goes with the host of the site. */
function nameOf({ vkey, origin }: WitnessedLogRow): string {
  return `${publicKeyOf(vkey)} ${origin}`;
}

/** Whether a key has begun a log, as database or file knows. */
export async function hasBegun(config: Config, vkey: string, log: WitnessedLogRow): Promise<boolean> {
  if (publicKeyOf(vkey) === publicKeyOf(log.vkey)) return true;
  return (await readSizes(config)).has(nameOf({ ...log, vkey }));
}

function rootOf({ root }: WitnessedLogRow): string {
  return root === null ? NONE : Buffer.from(root).toString("hex");
}

/** Reads the file. */
export async function readSizes(config: Config): Promise<CosignedSizes> {
  const path = pathOf(config);
  const lines = ((await readIfThere(path)) ?? "").split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const [, size, root = NONE, name = ""] = LINE.exec(line) ?? [];
      if (size !== undefined) return [name, { size: Number(size), root }] as const;
      throw new Error(
        `${path} is damaged: put it back, or remove it and begin anew with witness log reopen.`,
      );
    }),
  );
}

function pathOf({ dataDir }: Config): string {
  return join(dataDir, "keys", "witness.sizes");
}
