import { type Checkpoint, readCheckpointText } from "./checkpoint.ts";
import { readBase64, readNote } from "./signed-note.ts";
import { HASH_BYTES } from "./tree.ts";

/** What a witness is asked to cosign (c2sp.org/tlog-witness, add-checkpoint). */
export interface Submission {
  /** How many entries the tree had that the witness cosigned last. */
  oldSize: number;
  /** The proof that the tree goes on from that one. */
  path: readonly Buffer[];
  /** The signed checkpoint, word for word. */
  note: string;
}

/** More hashes than a proof of any tree has. */
const MOST_HASHES = 63;
const OLD = /^old (0|[1-9]\d{0,15})$/;

/** Writes the body of a question to a witness. */
export function writeSubmission({ oldSize, path, note }: Submission): string {
  return `${[`old ${oldSize}`, ...path.map((hash) => hash.toString("base64"))].join("\n")}\n\n${note}`;
}

/** Reads such a body, with what its checkpoint says; null for any other text, and where the old tree is the larger one. */
export function readSubmission(body: string): (Submission & { text: string; checkpoint: Checkpoint }) | null {
  const end = body.indexOf("\n\n");
  const [old = "", ...hashes] = body.slice(0, Math.max(end, 0)).split("\n");
  const oldSize = Number(OLD.exec(old)?.[1] ?? Number.NaN);
  const path = hashes.flatMap((hash) => readBase64(hash) ?? []).filter(({ length }) => length === HASH_BYTES);
  const note = body.slice(end + 2);
  const read = readNote(note);
  const checkpoint = read && readCheckpointText(read.text);
  if (read === null || checkpoint === null || hashes.length > MOST_HASHES || path.length < hashes.length) {
    return null;
  }
  // A number that is none is not smaller either.
  return oldSize <= checkpoint.size ? { oldSize, path, note, text: read.text, checkpoint } : null;
}
