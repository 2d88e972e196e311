import type { Db } from "../../sql/connection/pool.ts";
import { listEntries, readHashes } from "../../sql/log-entries.ts";
import { findRecord } from "../../sql/log-outbox.ts";
import { findCurrentLog, findLog, type LogRow, listLogKeys } from "../../sql/logs.ts";
import { addressesOf } from "../addresses.ts";
import { toCanonicalJson } from "../checksum.ts";
import { hashSpan, planInclusion, type Span, tilesOf } from "../core/log/proofs.ts";
import { hasTile, splitHashes, type Tile, writeBundle } from "../core/log/tiles.ts";
import { writeTlogProof } from "../core/log/tlog-proof.ts";
import { TILE_WIDTH } from "../core/log/tree.ts";
import type { Deps } from "../deps.ts";
import { notFound } from "../errors.ts";

/** A log by its number; throws `not_found` where it was not begun. */
export async function getLog(deps: Deps, number: number): Promise<LogRow> {
  const log = await findLog(deps.pool, number);
  if (log === null) throw notFound("transparency log");
  return log;
}

/** The address of the log that goes on; null where none was begun. */
export async function findCurrentLogUrl({ config, pool }: Deps): Promise<string | null> {
  const log = await findCurrentLog(pool);
  return log && addressesOf(config.siteUrl).log(log.number);
}

/** The verifier keys of a log, one a line, the newest first. */
export async function readVerifierKeys(deps: Deps, { number }: LogRow): Promise<string> {
  const keys = await listLogKeys(deps.pool, number);
  return keys.map(({ vkey }) => `${vkey}\n`).join("");
}

/** The bytes of a tile; throws `not_found` for one that the signed tree does not have. */
export async function readTile(deps: Deps, log: LogRow, tile: Tile): Promise<Buffer> {
  if (!hasTile(log.size, tile)) throw notFound("tile of the log");
  const { level, index, width } = tile;
  const [found] = await readHashes(deps.pool, log.number, [{ level, first: index * TILE_WIDTH, width }]);
  return Buffer.from(found?.hashes ?? []);
}

/** A bundle of entries; throws `not_found` for one that the signed tree does not have. */
export async function readEntries(deps: Deps, log: LogRow, tile: Omit<Tile, "level">): Promise<Buffer> {
  if (!hasTile(log.size, { ...tile, level: 0 })) throw notFound("bundle of the log");
  const from = tile.index * TILE_WIDTH;
  const entries = await listEntries(deps.pool, log.number, { from, to: from + tile.width });
  return writeBundle(entries.map((entry) => Buffer.from(entry)));
}

/**
 * The proof that a log has the publication of a revision, against its newest checkpoint, with what opens its commitment
 * unless the content was removed; throws `not_found` where the log does not have it yet.
 */
export async function readProof(
  deps: Deps,
  revision: { id: string; content_removed_at: number | null },
): Promise<string> {
  const record = await findRecord(deps.pool, revision.id);
  if (record === null) throw notFound("entry of the log");
  const log = await getLog(deps, record.log_number);
  const path = await hashSpans(deps.pool, log, planInclusion(record.index, { from: 0, to: log.size }));
  const isOpen = revision.content_removed_at === null && record.nonce !== null;
  const extra = isOpen ? await composeExtra(deps.pool, record) : null;
  return writeTlogProof({ extra, index: record.index, path, checkpoint: log.note });
}

/** The hashes of spans of a log, from its tiles. */
async function hashSpans(db: Db, { number, size }: LogRow, spans: readonly Span[]): Promise<Buffer[]> {
  const tiles = tilesOf(spans, size);
  const ranges = tiles.map(({ level, index, width }) => ({ level, first: index * TILE_WIDTH, width }));
  const rows = await readHashes(db, number, ranges);
  const hashes = new Map(
    rows.map((row) => [`${row.level}/${row.first / TILE_WIDTH}`, splitHashes(Buffer.from(row.hashes))]),
  );
  return spans.map((span) => hashSpan(span, (level, index) => hashes.get(`${level}/${index}`)));
}

/** What the leaf and the commitment can be made again from. */
async function composeExtra(db: Db, record: NonNullable<Awaited<ReturnType<typeof findRecord>>>) {
  const { log_number, index, nonce, statement } = record;
  const [entry] = await listEntries(db, log_number, { from: index, to: index + 1 });
  const members = {
    entry: JSON.parse(Buffer.from(entry ?? []).toString()),
    nonce: Buffer.from(nonce ?? []).toString("base64"),
    statement: JSON.parse(statement ?? "null"),
  };
  return Buffer.from(toCanonicalJson(members));
}
