import { cutBlocksAt, readBlocks } from "../inspection/byte-blocks.ts";
import { refuseByte } from "../inspection/encoding.ts";
import { FileRefused } from "../inspection/verdict.ts";

const [LF, CR] = [0x0a, 0x0d];
/** An object of more bytes is no record of a table. */
const MOST_LINE_BYTES = 16_777_216;

/** The lines of a file that were read, and the bytes behind the last of them. */
interface OpenLines {
  line: number;
  /** The lines before an appended part: refusals count those of the part. */
  before: number;
  /** The first blank line that was no end of the file yet; 0 where there is none. */
  blank: number;
  held: Buffer[];
  heldBytes: number;
}

/**
 * The list of the objects of JSON Lines: each on the line that it has in the file, its bytes as they are. Throws
 * `FileRefused` with the number of a line that holds no object. An appended part begins at the byte `partFrom`, before which
 * `rowsBefore` is told the number of objects.
 */
export async function* convertJsonLines(
  source: AsyncIterable<Uint8Array>,
  partFrom?: number,
  rowsBefore?: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  const lines: OpenLines = { line: 0, before: 0, blank: 0, held: [], heldBytes: 0 };
  const arrive = () => {
    lines.before = lines.line;
    rowsBefore?.(lines.line);
  };
  yield Buffer.from("[");
  for await (const { bytes, bad } of cutBlocksAt(readBlocks(source), partFrom, arrive)) {
    const objects = Array.from(cutLines(lines, bytes));
    if (objects.length > 0) yield Buffer.concat(objects);
    if (bad !== null) throw refuseByte(lines.line - lines.before + 1, bad);
  }
  yield Buffer.concat([...takeLine(lines, Buffer.alloc(0)), Buffer.from("\n]\n")]);
}

function* cutLines(lines: OpenLines, bytes: Buffer): Generator<Buffer> {
  let from = 0;
  for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, from)) {
    yield* takeLine(lines, bytes.subarray(from, end));
    from = end + 1;
  }
  // A copy: the source may use its piece again.
  lines.held.push(Buffer.from(bytes.subarray(from)));
  lines.heldBytes += bytes.length - from;
  if (lines.heldBytes > MOST_LINE_BYTES)
    throw refuseLine(lines, lines.line + 1, "has over 16 MiB. Split its object.");
}

/** The object of a line that ends with these bytes, behind what parts it from the one before. */
function* takeLine(lines: OpenLines, end: Buffer): Generator<Buffer> {
  const whole = Buffer.concat([...lines.held, end]);
  lines.held = [];
  lines.heldBytes = 0;
  lines.line++;
  const text = whole.at(-1) === CR ? whole.subarray(0, -1) : whole;
  if (text.length === 0) {
    if (lines.blank === 0) lines.blank = lines.line;
    return;
  }
  if (lines.blank > 0) throw refuseLine(lines, lines.blank, "is blank. Remove it.");
  checkObject(lines, text);
  if (lines.line > 1) yield Buffer.from(",\n");
  yield text;
}

function checkObject(lines: OpenLines, bytes: Buffer): void {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw refuseLine(lines, lines.line, "is no JSON. Write one object on each line.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refuseLine(lines, lines.line, "holds no object. Write one object on each line.");
}

function refuseLine({ before }: OpenLines, line: number, sentence: string): FileRefused {
  return new FileRefused(`Line ${line - before} ${sentence}`);
}
