import { type Span, type TileHashes, tilesOf } from "../../text/transparency-log/proofs.ts";
import { HASH_BYTES, type Tile, writeTilePath } from "../../text/transparency-log/tree.ts";

const TIMEOUT_MS = 10_000;
/** As much as a bundle of 256 entries of 64 KiB has, and far more than a tile. */
const MOST_BYTES = 256 * 65_538;
/** As much as a checkpoint with many signatures has. */
const MOST_NOTE_BYTES = 65_536;
const TILES_AT_ONCE = 8;

/** A log of any site, read by its address. */
export type RemoteLog = ReturnType<typeof openRemoteLog>;

/** What keeps a log from being read, as a sentence. */
export class LogUnreadable extends Error {
  override name = "LogUnreadable";
}

/** Opens the log at an address such as https://example.org/log. */
export function openRemoteLog(root: string) {
  const read = async (path: string, mostBytes = MOST_BYTES) => await fetchBytes(`${root}/${path}`, mostBytes);
  const readTile = async ({ level, index, width }: Tile) => {
    const path = `tile/${writeTilePath(level, index, width)}`;
    const bytes = await read(path);
    if (bytes.length === width * HASH_BYTES) return bytes;
    throw new LogUnreadable(`${root}/${path} has ${bytes.length} bytes, and not ${width * HASH_BYTES}.`);
  };
  return {
    checkpoint: async () => (await read("checkpoint", MOST_NOTE_BYTES)).toString(),
    async vkeys() {
      const lines = (await read("vkeys", MOST_NOTE_BYTES)).toString().split("\n");
      return lines.filter((line) => line !== "");
    },
    /** The hashes that these spans of a tree of `size` follow from. */
    async tilesFor(spans: readonly Span[], size: number): Promise<TileHashes> {
      const found = new Map<string, Buffer>();
      const tiles = tilesOf(spans, size);
      for (let at = 0; at < tiles.length; at += TILES_AT_ONCE) {
        const part = tiles.slice(at, at + TILES_AT_ONCE);
        await Promise.all(
          part.map(async (tile) => found.set(`${tile.level}/${tile.index}`, await readTile(tile))),
        );
      }
      return (level, index) => found.get(`${level}/${index}`);
    },
    /** A bundle of entries. */
    entries: async (index: number, width: number) =>
      await read(`tile/${writeTilePath("entries", index, width)}`),
  };
}

async function fetchBytes(url: string, mostBytes: number): Promise<Buffer> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!answer.ok) throw new LogUnreadable(`${url} answers ${answer.status}.`);
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of answer.body ?? []) {
      bytes += part.length;
      if (bytes > mostBytes) throw new LogUnreadable(`${url} is longer than an answer of a log may be.`);
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch (error) {
    if (error instanceof LogUnreadable) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new LogUnreadable(
      `${url} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
    );
  }
}
