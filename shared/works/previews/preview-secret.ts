import { createHmac, timingSafeEqual } from "node:crypto";
import { ulidToUUID, uuidToULID } from "ulid";

const ID_BYTES = 16;
const MARK_BYTES = 16;
const CHARACTERS = 43;

/**
 * The secret of a link, as 43 base64url characters: its id, and a mark of the id that only the key makes. So it is never
 * stored, and whoever asks again for the same link gets the same one.
 */
export function writePreviewSecret(key: Buffer, id: string): string {
  const bytes = Buffer.from(ulidToUUID(id).replaceAll("-", ""), "hex");
  const mark = createHmac("sha256", key).update("preview:").update(bytes).digest().subarray(0, MARK_BYTES);
  return Buffer.concat([bytes, mark]).toString("base64url");
}

/** The id in a secret that this key made; null for any other text. */
export function readPreviewSecret(key: Buffer, text: string): string | null {
  const bytes = Buffer.from(text, "base64url");
  if (text.length !== CHARACTERS || bytes.length !== ID_BYTES + MARK_BYTES) return null;
  const id = toId(bytes.subarray(0, ID_BYTES));
  const [made, given] = [Buffer.from(writePreviewSecret(key, id)), Buffer.from(text)];
  return made.length === given.length && timingSafeEqual(made, given) ? id : null;
}

function toId(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return uuidToULID(parts.join("-"));
}
