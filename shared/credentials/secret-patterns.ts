import { hashSecret, isWellFormedToken, normalizeEnrollmentCode } from "./tokens.ts";

/**
 * The form of a token or a code: Markdown may have put a backslash before its marks, and a code may be typed
 * with blanks and hyphens. The lookahead lets the next match begin within this one.
 */
const FORM = /b(?=(s(?:t\\?_[0-9A-Za-z]{46}|e\\?_(?:[\s\\-]{0,3}[0-9A-Za-z]){24})))/gi;
/** The longest form is `bse\_` with three separators before each of its 24 characters. */
const LONGEST_FORM = 5 + 24 * 4;
const UNDERSCORE = 0x5f;
const BACKSLASH = 0x5c;

/**
 * The stored hashes of every part of a text that has the form of an access token or an enrolment code, valid
 * or not.
 */
export function findSecretHashes(text: string): string[] {
  return Array.from(text.matchAll(FORM), ([, rest = ""]) => hashForm(`b${rest}`)).filter(
    (hash) => hash !== null,
  );
}

/**
 * Searches bytes in chunks as `findSecretHashes` does; a form cut by the end of a chunk is found with the
 * next.
 */
export function createSecretSearch(): (piece: Uint8Array) => string[] {
  let tail = Buffer.alloc(0);
  return (piece) => {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const seam = Buffer.concat([tail, bytes.subarray(0, LONGEST_FORM)]);
    const rest = bytes.length < LONGEST_FORM ? seam : bytes;
    tail = Buffer.from(rest.subarray(Math.max(0, rest.length - LONGEST_FORM + 1)));
    return [...findInBytes(seam), ...findInBytes(bytes)];
  };
}

/** Checks the characters around each underscore in the bytes: a text of each chunk would be much garbage. */
function findInBytes(bytes: Buffer): string[] {
  const hashes: string[] = [];
  for (let mark = bytes.indexOf(UNDERSCORE); mark !== -1; mark = bytes.indexOf(UNDERSCORE, mark + 1)) {
    const start = mark - (bytes[mark - 1] === BACKSLASH ? 4 : 3);
    if (start < 0 || !isLetter(bytes[start], "b") || !isLetter(bytes[start + 1], "s")) continue;
    hashes.push(...findSecretHashes(bytes.toString("latin1", start, start + LONGEST_FORM)));
  }
  return hashes;
}

function isLetter(byte: number | undefined, letter: string): boolean {
  return byte !== undefined && (byte | 0x20) === letter.charCodeAt(0);
}

/** Whether a text contains the form of a secret, whatever follows it. */
export function hasSecretForm(text: string): boolean {
  return /bs[te]\\?_/i.test(text);
}

function hashForm(found: string): string | null {
  const text = found.replaceAll("\\", "");
  if (isWellFormedToken(text)) return hashSecret(text);
  const code = normalizeEnrollmentCode(text);
  return code === null ? null : hashSecret(code);
}
