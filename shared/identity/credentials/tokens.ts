import { hash, hkdfSync, randomBytes, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TOKEN = /^bst_[0-9A-Za-z]{46}$/;
const REFRESH_TOKEN = /^bsr_[0-9A-Za-z]{46}$/;
const RANDOM_CHARACTERS = 40;
const CODE = /^[0-9A-HJKMNP-TV-Z]+$/;
const CODE_CHARACTERS = 24;
/** A code with seven blanks or hyphens for each of its characters. */
const MOST_TYPED_CHARACTERS = 200;

/** A new access token: `bst_`, 40 random base62 characters, 6 of their CRC32 (contract section 3). */
export function makeAccessToken(): string {
  return withChecksum("bst", pickCharacters(BASE62, RANDOM_CHARACTERS));
}

/** A new refresh token of a connection: `bsr_`, and otherwise as an access token. */
export function makeRefreshToken(): string {
  return withChecksum("bsr", pickCharacters(BASE62, RANDOM_CHARACTERS));
}

/**
 * The tokens that take the place of a refresh token. They follow from its secret and the salt of its row, and from
 * neither alone: a client whose answer was lost gets the same ones, and the database cannot tell them.
 */
export function deriveTokens(refreshToken: string, salt: string): { access: string; refresh: string } {
  const derive = (kind: "bst" | "bsr") =>
    withChecksum(
      kind,
      spellBase62(new Uint16Array(hkdfSync("sha256", refreshToken, salt, kind, 2 * RANDOM_CHARACTERS))),
    );
  return { access: derive("bst"), refresh: derive("bsr") };
}

function spellBase62(numbers: Uint16Array): string {
  return Array.from(numbers, (number) => BASE62.charAt(number % BASE62.length)).join("");
}

function withChecksum(kind: "bst" | "bsr", random: string): string {
  return `${kind}_${random}${checksumOf(random)}`;
}

/** Whether a text has a token's form and checksum, so that junk costs no query. */
export function isWellFormedToken(text: string): boolean {
  return TOKEN.test(text) && hasChecksum(text);
}

/** Whether a text has a refresh token's form and checksum. */
export function isWellFormedRefreshToken(text: string): boolean {
  return REFRESH_TOKEN.test(text) && hasChecksum(text);
}

function hasChecksum(text: string): boolean {
  return checksumOf(text.slice(4, 44)) === text.slice(44);
}

/** A new enrolment code: `bse_` and 24 Crockford characters in groups of six. */
export function makeEnrollmentCode(): string {
  const body = pickCharacters(CROCKFORD, 24);
  return `bse_${body.match(/.{6}/g)?.join("-")}`;
}

/**
 * The stored form of a typed code: any case, hyphens and spaces ignored, look-alikes folded; null when
 * malformed.
 */
export function normalizeEnrollmentCode(text: string): string | null {
  if (text.length > MOST_TYPED_CHARACTERS) return null;
  const compact = text.replace(/[\s-]/g, "");
  if (!/^bse_/i.test(compact)) return null;
  const body = foldCode(compact.slice(4));
  return body?.length === CODE_CHARACTERS ? `bse_${body}` : null;
}

/** The characters of a code as they are stored, or null where one is none: any case, look-alikes folded. */
function foldCode(characters: string): string | null {
  const folded = characters.toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1");
  return CODE.test(folded) ? folded : null;
}

/** 256 random bits for a link or session, as 43 base64url characters. */
export function makeLinkSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of a secret: its SHA-256. Secrets have 140 bits or more, so no slow hash is needed. */
export function hashSecret(secret: string | Uint8Array): string {
  return hash("sha256", secret, "hex");
}

function checksumOf(random: string): string {
  let rest = crc32(random);
  let digits = "";
  for (let position = 0; position < 6; position++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function pickCharacters(alphabet: string, count: number): string {
  let picked = "";
  for (let position = 0; position < count; position++) picked += alphabet.charAt(randomInt(alphabet.length));
  return picked;
}
