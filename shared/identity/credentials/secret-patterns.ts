import {
  hashSecret,
  isWellFormedRefreshToken,
  isWellFormedToken,
  normalizeEnrollmentCode,
} from "./tokens.ts";

/** The longest form is `bse\_` with three separators before each of its 24 characters. */
const LONGEST_FORM = 5 + 24 * 4;

/** What an access token, a refresh token or a code looks like, in any case: tokens that ignore it are none. */
const FORM = /bs(?:[tr]\\?_[0-9A-Za-z]{46}|e\\?_(?:[\s\\-]{0,3}[0-9A-Za-z]){24})/gi;

/**
 * The stored hashes of every part of a text that has the form of an access token, a refresh token or an enrolment code,
 * live or made up. Markdown may have put a backslash before the marks, and a code may be typed with blanks and hyphens.
 */
export function findSecretHashes(text: string): string[] {
  const hashes: string[] = [];
  FORM.lastIndex = 0;
  for (let found = FORM.exec(text); found !== null; found = FORM.exec(text)) {
    const form = found[0].replaceAll("\\", "");
    const isToken = isWellFormedToken(form) || isWellFormedRefreshToken(form);
    const secret = isToken ? form : normalizeEnrollmentCode(form);
    if (secret !== null) hashes.push(hashSecret(secret));
    // A secret may begin within the form of another.
    FORM.lastIndex = found.index + 1;
  }
  return hashes;
}

/** Blanks, line ends, marks that nobody sees, and the backslash of Markdown. */
const BREAKS = /[\s\p{Cf}\\]+/gu;

/**
 * The stored hashes of a text that somebody found, in which a token may be broken too: by a line end, by blanks or by
 * backslashes between its characters.
 */
export function findBrokenSecretHashes(text: string): string[] {
  return [...findSecretHashes(text), ...findSecretHashes(text.replace(BREAKS, ""))];
}

/**
 * Searches bytes in chunks as `findSecretHashes` does; a form cut by the end of a chunk is found with the
 * next.
 */
export function createSecretSearch(): (piece: Uint8Array) => string[] {
  let tail = "";
  return (piece) => {
    const text = tail + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1");
    tail = text.slice(-(LONGEST_FORM - 1));
    return findSecretHashes(text);
  };
}

/** Whether a text contains the form of a secret, whatever follows it. */
export function hasSecretForm(text: string): boolean {
  return /bs[ter]\\?_/i.test(text);
}
