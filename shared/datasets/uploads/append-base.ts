import type { Db } from "../../../sql/connection/pool.ts";
import { type AssetRow, findOwnAsset } from "../../../sql/datasets/assets.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { toUlid } from "../../ground/ids.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileMissing, type FileStore } from "../../platform/files/store.ts";
import {
  type CsvStart,
  endsBlank,
  findListEnd,
  readCsvPart,
  readCsvStart,
  readJsonPart,
  refuseBlankEnd,
  withoutMark,
} from "../../tables/append/read-part.ts";
import { type Format, refuseBase } from "./incoming-file.ts";
import { isExpired } from "./own-assets.ts";
import { readInspection } from "./public-files.ts";

/** A file to append to. */
export interface AppendBase extends KeptStart {
  id: string;
  /** The name that the result keeps, whatever the part is called; its ending is that of what is kept. */
  filename: string;
  agentId: string;
  row: AssetRow;
}

const POLL = "Poll GET /assets/{asset} until it is ready, then append.";

/**
 * The row of a base: a file of this agent that is ready and grows. Throws 422 on `base_asset_id` for any other, with the
 * same words for an unknown file and for another agent's.
 */
export async function findBase(
  db: Db,
  deps: Deps,
  agent: Pick<AgentRow, "id">,
  id: string,
): Promise<AssetRow> {
  const ulid = toUlid(id);
  const asset = ulid === null ? null : await findOwnAsset(db, agent.id, ulid);
  if (asset === null || isExpired(asset, deps.now())) {
    throw refuseBase("You have no file with this id. Name one of your own, which is ready.");
  }
  if (asset.readiness === "processing") throw refuseBase(`The base is still being inspected. ${POLL}`);
  if (asset.readiness === "failed")
    throw refuseBase("The base was refused: only a file that is ready grows.");
  return asset;
}

/** Opens a base for a part of this format, or of any, and for results up to a size. Throws 422 on `base_asset_id`. */
export async function openBase(
  deps: Deps,
  agent: Pick<AgentRow, "id">,
  { id, format, mostBytes }: { id: string; format: Format | null; mostBytes: number },
): Promise<AppendBase> {
  const row = await findBase(deps.pool, deps, agent, id);
  if (row.format === "txt" || row.format === "md") {
    throw refuseBase(
      `The base is a .${row.format} file. Only CSV files and JSON lists grow; upload the whole text instead.`,
    );
  }
  if (format !== null && row.format !== format) {
    throw refuseBase(
      `The base is a .${row.format} file and the file that you sent a .${format} one. Send one of the same format.`,
    );
  }
  const filename = row.dialect === null ? row.filename : row.filename.replace(/\.[^.]+$/, ".csv");
  const base = { id: row.id, agentId: agent.id, filename, row };
  const found = readInspection(row);
  if (found?.kind !== "table") {
    throw refuseBase(
      "The base is a JSON document. Only a list of objects grows; upload the whole document instead.",
    );
  }
  const sent = { file_id: row.id, bytes: row.bytes };
  // Lines are joined as they were sent, rows as they are read.
  const { file_id: key, bytes } = (row.format === "csv" && row.canonical) || sent;
  const table = { key, format: row.format, bytes, rows: found.row_count };
  return await whileBaseStands(deps, base, async () => {
    const kept = await openKept(deps.files, table);
    if (kept.keptBytes >= mostBytes) throw refuseBase(wholeTooLarge(mostBytes));
    return { ...base, ...kept };
  });
}

/** The sentence of a result that has more bytes than a file may. */
export function wholeTooLarge(mostBytes: number): string {
  return `The base and the new rows together are larger than ${mostBytes} bytes; upload the new rows as a file of their own.`;
}

/** Does what reads the base; 422 on it where its bytes went meanwhile with its row. */
export async function whileBaseStands<Result>(
  deps: Deps,
  base: Pick<AppendBase, "id" | "agentId">,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FileMissing) await findBase(deps.pool, deps, { id: base.agentId }, base.id);
    throw error;
  }
}

/** What of a base begins the result, and how a part follows. */
interface KeptStart {
  /** Under which the store has it. */
  key: string;
  /** The bytes of the base that are kept: all of a CSV, those before the closing bracket of a list. */
  keptBytes: number;
  /** What stands between them and the part: a line end that the base lacks. */
  joint: string;
  /** How a CSV begins; null for a list. */
  csv: CsvStart | null;
  /** The bytes of the part that follow. Throws `FileRefused`, before it gives any, for a part that does not fit. */
  readPart(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
}

/** A stored table that passed inspection. */
interface StoredTable {
  key: string;
  format: "csv" | "json" | "jsonl";
  bytes: number;
  rows: number;
}

/** The byte of the result at which the part begins. */
export const partFrom = ({ keptBytes, joint }: KeptStart): number => keptBytes + Buffer.byteLength(joint);

/** Reads of a base what an append has to know. Throws 422 on `base_asset_id` for one that cannot go on. */
export async function openKept(files: FileStore, table: StoredTable): Promise<KeptStart> {
  if (table.format === "jsonl") return await openLines(files, table);
  return table.format === "csv" ? await openCsv(files, table) : await openList(files, table);
}

/**
 * The bytes of a base, what joins them, and those of the part that follow. The part is asked for its first bytes before
 * the base is read, so one that does not fit is refused before anything is stored. A piece needs to be valid only until
 * the next one.
 */
export async function* appendTo(
  files: FileStore,
  base: KeptStart,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const part = base.readPart(pieces);
  try {
    const first = await part.next();
    yield* readKept(files, base);
    if (base.joint !== "") yield Buffer.from(base.joint);
    if (first.done !== true) yield first.value;
    yield* part;
  } finally {
    await part.return(undefined);
  }
}

/** The bytes of the base that are kept: all of them, or an error. */
async function* readKept(files: FileStore, { key, keptBytes }: KeptStart): AsyncGenerator<Uint8Array> {
  let left = keptBytes;
  for await (const piece of files.scan(key, { start: 0, end: keptBytes - 1 })) {
    left -= piece.length;
    yield piece;
  }
  if (left !== 0) throw new FileMissing(`the stored base lacks ${left} bytes`);
}

const TAIL_BYTES = 4_096;
/** A header is read in pieces of this size, so that a store sends no more of the file. */
const HEADER_BYTES = 65_536;

async function openCsv(files: FileStore, { key, bytes }: StoredTable): Promise<KeptStart> {
  const tail = await readTail(files, key, bytes);
  const start = await readCsvStart(readInSteps(files, key, bytes));
  const joint = tail.endsWith("\n") ? "" : (start.lineEnd ?? "\n");
  return {
    key,
    keptBytes: bytes,
    joint,
    csv: start,
    readPart: (pieces) => refuseBlankEnd(readCsvPart(pieces, start)),
  };
}

/** The last three bytes of a base of lines, which may not end a blank one. */
async function readTail(files: FileStore, key: string, bytes: number): Promise<string> {
  const tail = (await readRange(files, key, Math.max(0, bytes - 3), bytes)).toString("latin1");
  if (!endsBlank(tail)) return tail;
  throw refuseBase(
    "The base ends with blank lines, which would stand between its rows and the new ones. Upload it again without them.",
  );
}

async function openList(files: FileStore, { key, bytes, rows }: StoredTable): Promise<KeptStart> {
  for (let end = bytes; end > 0; end -= TAIL_BYTES) {
    const from = Math.max(0, end - TAIL_BYTES);
    const at = findListEnd(await readRange(files, key, from, end));
    if (at === -1) continue;
    const readPart: KeptStart["readPart"] = (pieces) => readJsonPart(pieces, rows === 0);
    return { key, keptBytes: from + at, joint: "", csv: null, readPart };
  }
  throw new Error("a stored list has no end");
}

async function openLines(files: FileStore, { key, bytes }: StoredTable): Promise<KeptStart> {
  const tail = await readTail(files, key, bytes);
  const readPart: KeptStart["readPart"] = (pieces) => refuseBlankEnd(withoutMark(pieces));
  return { key, keptBytes: bytes, joint: tail.endsWith("\n") ? "" : "\n", csv: null, readPart };
}

async function readRange(files: FileStore, id: string, from: number, end: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of files.get(id, { start: from, end: end - 1 })) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* readInSteps(files: FileStore, id: string, bytes: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes; from += HEADER_BYTES) {
    yield await readRange(files, id, from, Math.min(bytes, from + HEADER_BYTES));
  }
}
