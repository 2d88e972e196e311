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
