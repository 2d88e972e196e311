import { createHash } from "node:crypto";

/** Hex SHA-256 of bytes or text. */
export function sha256(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}

/**
 * A revision's checksum, made from the published recipe alone so that the service's own code is not asked about
 * itself: hex SHA-256 of the RFC 8785 JSON of `{"payload": …, "files": [content_sha256 in attachment order]}`.
 */
export function recomputeChecksum(payload: unknown, fileHashes: readonly string[]): string {
  return sha256(canonical({ payload, files: fileHashes }));
}

/** RFC 8785: JSON.stringify writes numbers and texts as it asks; members are sorted by UTF-16 code units. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}
