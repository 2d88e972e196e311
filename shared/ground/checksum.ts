import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** The RFC 8785 form of a JSON value: the same text for any spacing and member order. */
export function toCanonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error("only JSON values have a canonical form");
  return text;
}

/** Hex SHA-256 of a text, as UTF-8, or of bytes. */
export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Bytes that are read once. */
export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Counts and hashes bytes as they pass; `look` gets the count with each piece and stops them by throwing. */
export function measurePieces(source: Pieces, look?: (bytes: number) => void | Promise<void>) {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      bytes += piece.length;
      await look?.(bytes);
      hash.update(piece);
      yield piece;
    }
  }
  /** Of the bytes that have passed. */
  const measured = () => ({ bytes, sha256: hash.copy().digest("hex") });
  return { pieces: pass(), measured };
}

/** Reads bytes to their end: how many they are, and their hash. */
export async function measureAll(source: Pieces): Promise<{ bytes: number; sha256: string }> {
  const { pieces, measured } = measurePieces(source);
  for await (const _ of pieces);
  return measured();
}

/** The ETag of an answer, by its body or by a text that decides it, without its quotes. */
export function etagOf(content: string | Uint8Array): string {
  return sha256(content).slice(0, 32);
}

/**
 * A revision's checksum, which anybody can recompute: hex SHA-256 of the RFC 8785 JSON of
 * `{"payload": …, "files": [content_sha256 in attachment order]}` (contract section 7 row 10).
 */
export function checksumOfRevision(payload: unknown, fileHashes: readonly string[]): string {
  return sha256(toCanonicalJson({ payload, files: fileHashes }));
}
