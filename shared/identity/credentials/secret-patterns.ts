import { foldCode, hashSecret, isWellFormedRefreshToken, isWellFormedToken } from "./tokens.ts";

/** Bytes of a file, or code units of a text. */
type Units = Uint8Array | Uint16Array;

/** The longest form is `bse\_` with three separators before each of its 24 characters. */
const LONGEST_FORM = 5 + 24 * 4;
const CODE_CHARACTERS = 24;
const TOKEN_CHARACTERS = 46;
const MOST_SEPARATORS = 3;
const UNDERSCORE = 0x5f;
const BACKSLASH = 0x5c;
const [ACCESS, REFRESH] = [0x74, 0x72];

/** What each code unit is in a code: its stored character, a separator, or 0; and whether it may stand in a token. */
interface UnitKinds {
  inCode: Uint8Array;
  inToken: Uint8Array;
}

const SEPARATOR = 1;
let unitKinds: UnitKinds | null = null;

/** Made for the first form that is read: it takes a fiftieth of the processor time of a start. */
function listUnitKinds(): UnitKinds {
  const inCode = new Uint8Array(0x10000);
  const inToken = new Uint8Array(0x10000);
  for (let unit = 0; unit < inCode.length; unit++) {
    const character = String.fromCharCode(unit);
    inCode[unit] = /[\s\\-]/.test(character) ? SEPARATOR : (foldCode(character) ?? "\0").charCodeAt(0);
    inToken[unit] = Number(/[0-9A-Za-z]/.test(character));
  }
  return { inCode, inToken };
}

// Filled anew for each form: to cut each out of its text would be much garbage.
const code = Buffer.from("bse_".padEnd(4 + CODE_CHARACTERS));
const token = Buffer.from("bst_".padEnd(4 + TOKEN_CHARACTERS));

/**
 * The stored hashes of every part of a text that has the form of an access token, a refresh token or an enrolment code,
 * live or made up. Markdown may have put a backslash before the marks, and a code may be typed with blanks and hyphens.
 */
export function findSecretHashes(text: string): string[] {
  if (!hasSecretForm(text)) return [];
  const { buffer, byteOffset } = Buffer.from(text, "utf16le");
  return findHashes(new Uint16Array(buffer, byteOffset, text.length));
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
  let tail = Buffer.alloc(0);
  return (piece) => {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const seam = Buffer.concat([tail, bytes.subarray(0, LONGEST_FORM)]);
    const rest = bytes.length < LONGEST_FORM ? seam : bytes;
    tail = Buffer.from(rest.subarray(Math.max(0, rest.length - LONGEST_FORM + 1)));
    const hashes = findHashes(seam);
    return hashes.length === 0 ? findHashes(bytes) : hashes.concat(findHashes(bytes));
  };
}

/** Whether a text contains the form of a secret, whatever follows it. */
export function hasSecretForm(text: string): boolean {
  return /bs[ter]\\?_/i.test(text);
}

/**
 * Reads on from each underscore. No regular expression: a file of 10 MB holds 360,000 made-up codes, and a text
 * for each of them took most of the time that the file cost.
 */
function findHashes(units: Units): string[] {
  const hashes: string[] = [];
  for (let mark = 3; mark < units.length; mark++) {
    if (units[mark] !== UNDERSCORE) continue;
    const kind = mark - (units[mark - 1] === BACKSLASH ? 2 : 1);
    if (!isLetter(units[kind - 1], "s") || !isLetter(units[kind - 2], "b")) continue;
    const secret = isLetter(units[kind], "e") ? readCode(units, mark + 1) : readToken(units, kind, mark + 1);
    if (secret !== null) hashes.push(hashSecret(secret));
  }
  return hashes;
}

function isLetter(unit: number | undefined, letter: string): boolean {
  return unit !== undefined && (unit | 0x20) === letter.charCodeAt(0);
}

/** The stored form of the code whose characters begin here, or null; the bytes are those of the next code too. */
function readCode(units: Units, start: number): Buffer | null {
  unitKinds ??= listUnitKinds();
  const { inCode } = unitKinds;
  let separators = 0;
  let length = 4;
  for (let at = start; length < code.length; at++) {
    const found = inCode[units[at] ?? 0] ?? 0;
    if (found > SEPARATOR) {
      code[length++] = found;
      separators = 0;
    } else if (found === 0 || ++separators > MOST_SEPARATORS) return null;
  }
  return code;
}

/** The token whose letter `t` or `r` and whose characters begin here, or null; tokens do not ignore case. */
function readToken(units: Units, kind: number, start: number): string | null {
  const letter = units[kind];
  if (
    (letter !== ACCESS && letter !== REFRESH) ||
    units[kind - 1] !== token[1] ||
    units[kind - 2] !== token[0]
  )
    return null;
  unitKinds ??= listUnitKinds();
  const { inToken } = unitKinds;
  token[2] = letter;
  for (let index = 0; index < TOKEN_CHARACTERS; index++) {
    const unit = units[start + index] ?? 0;
    if (inToken[unit] === 0) return null;
    token[4 + index] = unit;
  }
  const text = token.toString("latin1");
  return (letter === ACCESS ? isWellFormedToken : isWellFormedRefreshToken)(text) ? text : null;
}
