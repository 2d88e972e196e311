import { readBase64 } from "./signed-note.ts";
import { HASH_BYTES } from "./tree.ts";

/** A proof that a log has an entry, which needs no network to be checked (c2sp.org/tlog-proof). */
export interface TlogProof {
  /** What the entry can be made again from; null where nothing is told. */
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
