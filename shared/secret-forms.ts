import { hashSecret, isWellFormedToken, normalizeEnrollmentCode } from "./tokens.ts";

/**
 * What may be a token or a code: Markdown may have put a backslash before its marks, and a code may be typed with
 * blanks and hyphens. The look ahead lets the next find begin within this one.
 */
const FORM = /b(?=(s(?:t\\?_[0-9A-Za-z]{46}|e\\?_(?:[\s\\-]{0,3}[0-9A-Za-z]){24})))/gi;
/** The longest form is `bse\_` with three separators before each of its 24 characters. */
const LONGEST_FORM = 5 + 24 * 4;

/** The stored hashes of every text here that has the form of an access token or an enrolment code, live or not. */
export function findSecretHashes(text: string): string[] {
  return Array.from(text.matchAll(FORM), ([, rest = ""]) => hashForm(`b${rest}`)).filter(
    (hash) => hash !== null,
  );
}

/** The same for bytes that come in pieces: a form that is cut by the end of a piece is found with the next. */
export function createSecretSearch(): (piece: Uint8Array) => string[] {
  let tail = "";
  return (piece) => {
    const { buffer, byteOffset, byteLength } = piece;
    const text = tail + Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
    tail = text.slice(1 - LONGEST_FORM);
    return findSecretHashes(text);
  };
}

/** Whether a text holds anything of the form of a secret, however it ends. */
export function hasSecretForm(text: string): boolean {
  return /bs[te]\\?_/i.test(text);
}

function hashForm(found: string): string | null {
  const text = found.replaceAll("\\", "");
  if (isWellFormedToken(text)) return hashSecret(text);
  const code = normalizeEnrollmentCode(text);
  return code === null ? null : hashSecret(code);
}
