import { readBase64, type Signer, type Verifier, verifyNote, writeNote } from "./signed-note.ts";
import { HASH_BYTES } from "./tree.ts";

/** What a checkpoint says: how many entries the log of this origin has, and the root over them. */
export interface Checkpoint {
  origin: string;
  size: number;
  root: Buffer;
}

const SIZE = /^(?:0|[1-9]\d{0,15})$/;

/** A signed checkpoint. */
export function writeCheckpoint({ origin, size, root }: Checkpoint, signers: readonly Signer[]): string {
  return writeNote(`${origin}\n${size}\n${root.toString("base64")}\n`, signers);
}

/** Reads the text of a checkpoint; null for any other text. */
export function readCheckpointText(text: string): Checkpoint | null {
  const [origin = "", size = "", hash = "", ...rest] = text.split("\n");
  const root = readBase64(hash);
  if (origin === "" || !SIZE.test(size) || root?.length !== HASH_BYTES || rest.at(-1) !== "") return null;
  if (rest.slice(0, -1).includes("") || !Number.isSafeInteger(Number(size))) return null;
  return { origin, size: Number(size), root };
}

/** A checkpoint that one of these keys signed for its own log; null for any other note. */
export function verifyCheckpoint(note: string, known: readonly Verifier[]): Checkpoint | null {
  const text = verifyNote(note, known);
  const checkpoint = text === null ? null : readCheckpointText(text);
  if (checkpoint === null) return null;
  return known.some(({ name }) => name === checkpoint.origin) ? checkpoint : null;
}

/** A proof that a log has an entry, which needs no network to be checked (c2sp.org/tlog-proof). */
interface TlogProof {
  /** What the entry can be made again from; null where it is not said. */
  extra: Buffer | null;
  index: number;
  path: readonly Buffer[];
  /** The checkpoint, word for word. */
  checkpoint: string;
}

const HEAD = "c2sp.org/tlog-proof@v1";
const INDEX = /^index (0|[1-9]\d{0,15})$/;
const EXTRA = /^extra (\S+)$/;

/** Writes a proof. */
export function writeTlogProof({ extra, index, path, checkpoint }: TlogProof): string {
  const lines = [
    HEAD,
    ...(extra === null ? [] : [`extra ${extra.toString("base64")}`]),
    `index ${index}`,
    ...path.map((hash) => hash.toString("base64")),
  ];
  return `${lines.join("\n")}\n\n${checkpoint}`;
}

/** Reads a proof; null for any other text. */
export function readTlogProof(text: string): TlogProof | null {
  const end = text.indexOf("\n\n");
  const [head, ...lines] = text.slice(0, Math.max(end, 0)).split("\n");
  if (head !== HEAD) return null;
  const given = EXTRA.exec(lines[0] ?? "")?.[1];
  const [first = "", ...hashes] = given === undefined ? lines : lines.slice(1);
  const index = INDEX.exec(first)?.[1];
  const extra = given === undefined ? null : readBase64(given);
  const path = hashes.flatMap((hash) => readBase64(hash) ?? []);
  if (index === undefined || (given !== undefined && extra === null)) return null;
  if (path.length !== hashes.length || path.some((hash) => hash.length !== HASH_BYTES)) return null;
  return { extra, index: Number(index), path, checkpoint: text.slice(end + 2) };
}
