import { FileRefused } from "../inspection/verdict.ts";
import { withoutMark } from "./mark.ts";

const [OPEN_LIST, CLOSE_LIST, COMMA, SPACE] = [0x5b, 0x5d, 0x2c, 0x20];
/** How much of a file is held until its first item has come. */
const MOST_SPACE_BYTES = 16_384;
const [LF, CR, TAB, OPEN_OBJECT] = [0x0a, 0x0d, 0x09, 0x7b];
const PUT_INTO_LIST = "Put the new objects into one list, as those of the base are.";

/**
 * The bytes of a list that follow the base's items: its opening bracket becomes the comma between them, or a space
 * where one of the lists is empty, so every line and column of the part stays. Throws `FileRefused` for what is no list,
 * before it gives any.
 */
export async function* readJsonPart(
  pieces: AsyncIterable<Uint8Array>,
  isBaseEmpty: boolean,
): AsyncGenerator<Uint8Array> {
  const source = withoutMark(pieces);
  try {
    yield await readStart(source, isBaseEmpty);
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  } finally {
    await source.return(undefined);
  }
}

/** Reads up to the first item or the end of the list, and puts the joint in the place of its bracket. */
async function readStart(source: AsyncIterator<Uint8Array>, isBaseEmpty: boolean): Promise<Buffer> {
  let start = Buffer.alloc(0);
  for (let next = await source.next(); next.done !== true; next = await source.next()) {
    start = Buffer.concat([start, next.value]);
    const bracket = findBracket(start);
    const first = bracket === -1 ? undefined : start[skipSpace(start, bracket + 1)];
    if (first !== undefined) {
      start[bracket] = isBaseEmpty || first === CLOSE_LIST ? SPACE : COMMA;
      return start;
    }
    if (start.length > MOST_SPACE_BYTES)
      throw new FileRefused(`The list begins with more than 16,384 bytes of white space. Leave them out.`);
  }
  // A list that ends here is not closed, which its inspection tells.
  const bracket = findBracket(start);
  if (bracket === -1) throw new FileRefused(`The file holds no JSON value. ${PUT_INTO_LIST}`);
  start[bracket] = isBaseEmpty ? SPACE : COMMA;
  return start;
}

/** The place of the opening bracket; -1 while only white space has come. */
function findBracket(bytes: Uint8Array): number {
  const at = skipSpace(bytes, 0);
  const first = bytes[at];
  if (first === undefined) return -1;
  if (first === OPEN_LIST) return at;
  const lines = bytes.subarray(0, at).filter((byte) => byte === LF).length;
  const what = first === OPEN_OBJECT ? "an object begins here" : "no list begins here";
  throw new FileRefused(`Line ${lines + 1}: ${what}, and the base is a list. ${PUT_INTO_LIST}`);
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== SPACE && byte !== LF && byte !== CR && byte !== TAB) break;
  }
  return at;
}

/** The closing bracket of a file that passed inspection as a list, from its last bytes; -1 where they are white space. */
export function findListEnd(tail: Uint8Array): number {
  let at = tail.length - 1;
  while (at >= 0 && skipSpace(tail.subarray(0, at + 1), at) > at) at--;
  return at;
}
