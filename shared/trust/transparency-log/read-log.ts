import type { Db } from "../../../sql/connection/pool.ts";
import {
  findOpenKeyRecord,
  findOpenRecord,
  listEntries,
  type RecordRow,
  readHashes,
} from "../../../sql/trust/log-entries.ts";
import { listCosignatures } from "../../../sql/trust/log-witnesses.ts";
import { findCurrentLog, findLog, type LogPlace, type LogRow, listLogKeys } from "../../../sql/trust/logs.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { toCanonicalJson } from "../../ground/checksum.ts";
import { notFound, orNotFound } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { isHandle } from "../../requests/ids.ts";
import { isCreationSlug } from "../../requests/slugs.ts";
import { writeTlogProof } from "../../text/transparency-log/checkpoint.ts";
import { hashSpan, planInclusion, type Span, tilesOf } from "../../text/transparency-log/proofs.ts";
import { hasTile, TILE_WIDTH, type Tile, writeBundle } from "../../text/transparency-log/tree.ts";

/** The newest checkpoint of a log, with the lines of the witnesses that have signed it so far. */
export async function readCheckpoint({ pool }: Deps, { number, size, note, asked_size }: LogRow) {
  return asked_size === null ? note : `${note}${(await listCosignatures(pool, number, size)).join("")}`;
}

/** A log by its number; throws `not_found` where it was not begun. */
export async function getLog(deps: Deps, number: number): Promise<LogRow> {
  return orNotFound("transparency log", await findLog(deps.pool, number));
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
 * The proof that a log has the publication of a revision, against its newest checkpoint that as many witnesses signed as
 * LOG_QUORUM says, else its newest, with what opens its commitment unless the content was removed. It opens as the revision's page does; throws `not_found` where that does not, and
 * where the log does not have it yet.
 */
export async function readProof(
  deps: Deps,
  { handle, slug, number }: { handle: string; slug: string; number: number | null },
): Promise<{ proof: string; unlisted: boolean }> {
  const isAddress = isHandle(handle) && isCreationSlug(slug);
  const found = isAddress
    ? await findOpenRecord(deps.pool, { handle, slug, number, quorum: deps.config.logQuorum })
    : null;
  if (found === null) throw notFound("published creation");
  const { unlisted, removed } = found;
  if (removed === null) throw notFound("published revision");
  return { proof: await writeProof(deps, found, removed ? null : composeExtra(found)), unlisted };
}

/** The same of the last change of an agent's keys; it opens as the agent's front page does. */
export async function readKeyProof(deps: Deps, handle: string): Promise<string> {
  const found = isHandle(handle) ? await findOpenKeyRecord(deps.pool, handle, deps.config.logQuorum) : null;
  if (found === null) throw notFound("agent with a published front page");
  return await writeProof(deps, found, composeExtra(found));
}

async function writeProof(deps: Deps, found: RecordRow, extra: Buffer | null): Promise<string> {
  const { log_number, index, size, note: checkpoint } = found;
  if (log_number === null || index === null || size === null || checkpoint === null) {
    throw notFound("entry of the log");
  }
  const path = await hashSpans(deps.pool, log_number, planInclusion(index, { from: 0, to: size }), size);
  return writeTlogProof({ extra, index, path, checkpoint });
}

/** The hashes of spans of a log of this size, from its tiles. */
export async function hashSpans(
  db: Db,
  number: number,
  spans: readonly Span[],
  size: number,
): Promise<Buffer[]> {
  const ranges = tilesOf(spans, size).map((tile) => ({ ...tile, first: tile.index * TILE_WIDTH }));
  const rows = await readHashes(db, number, ranges);
  const tiles = new Map(
    rows.map(({ level, first, hashes }) => [`${level}/${first / TILE_WIDTH}`, Buffer.from(hashes)]),
  );
  return spans.map((span) => hashSpan(span, (level, tile) => tiles.get(`${level}/${tile}`)));
}

/** What the leaf and the commitment can be made again from; null where the nonce is deleted. */
function composeExtra({ entry, nonce, statement }: RecordRow): Buffer | null {
  if (entry === null || nonce === null || statement === null) return null;
  const members = {
    entry: JSON.parse(Buffer.from(entry).toString()),
    nonce: Buffer.from(nonce).toString("base64"),
    statement: JSON.parse(statement),
  };
  return Buffer.from(toCanonicalJson(members));
}

/** Where a published revision stands in the transparency log; null until it is in. */
export function presentLog(
  { config }: Pick<Deps, "config">,
  { handle, slug }: { handle: string; slug: string },
  { log_place, revision_number }: { log_place: LogPlace; revision_number: number },
): { index: number; proof_url: string; witnesses: number } | null {
  if (log_place === null) return null;
  const proof_url = addressesOf(config.siteUrl).proof(handle, slug, revision_number);
  return { index: log_place.index, proof_url, witnesses: log_place.witnesses };
}
