/** A file as it would be read with another separator, or with rows of any width: how many values its records have. */
export interface LaxReading {
  mark: number;
  /** Records of one width that follow each other. A blank line has the width 0. */
  runs: WidthRun[];
  rows: number;
  /** What stands behind the first closing quote that ends no value, and before that quote. */
  behindQuote: number | null;
  beforeQuote: number | null;
  state: number;
  /** Of the record at hand: its separators so far, and whether there is anything else. */
  marks: number;
  isFilled: boolean;
}

interface WidthRun {
  from: number;
  width: number;
  count: number;
}

const [LF, CR, QUOTE] = [0x0a, 0x0d, 0x22];
const [AT_START, PLAIN, QUOTED, AFTER_QUOTE] = [0, 1, 2, 3];
/** A reading with more runs is no table. */
const MOST_RUNS = 200;

/** Starts a reading with a separator. */
export function startReading(mark: string): LaxReading {
  const none = { behindQuote: null, beforeQuote: null, state: AT_START, marks: 0, isFilled: false };
  return { mark: mark.charCodeAt(0), runs: [], rows: 0, ...none };
}

/** Reads the next bytes of the file. */
export function readLaxly(reading: LaxReading, bytes: Uint8Array): void {
  if (reading.runs.length > MOST_RUNS) return;
  const { mark } = reading;
  let { state } = reading;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (state === QUOTED) {
      if (byte === QUOTE) state = AFTER_QUOTE;
    } else if (byte === mark) {
      reading.marks++;
      state = AT_START;
    } else if (byte === LF) {
      endRecord(reading);
      state = AT_START;
    } else if (state !== PLAIN && byte !== CR) {
      if (state === AFTER_QUOTE) noteBehindQuote(reading, byte, bytes[at - 2]);
      reading.isFilled = true;
      state = byte === QUOTE ? QUOTED : PLAIN;
    }
  }
  reading.state = state;
}

function noteBehindQuote(reading: LaxReading, byte: number, before = 0): void {
  if (byte === QUOTE) return;
  reading.behindQuote ??= byte;
  reading.beforeQuote ??= before;
}

function endRecord(reading: LaxReading): void {
  const { runs, marks, isFilled } = reading;
  const width = isFilled || marks > 0 ? marks + 1 : 0;
  const run = runs.at(-1);
  reading.rows++;
  if (run !== undefined && run.width === width) run.count++;
  else runs.push({ from: reading.rows, width, count: 1 });
  reading.marks = 0;
  reading.isFilled = false;
}

/** Ends a reading: blank lines at the end are no records. */
export function finishReading(reading: LaxReading): void {
  if (reading.isFilled || reading.marks > 0) endRecord(reading);
  if (reading.runs.at(-1)?.width === 0) reading.rows -= reading.runs.pop()?.count ?? 0;
}

/** The records of one width of two values and more, where most records have it; others may stand between them. */
export interface LaxTable {
  from: number;
  to: number;
  width: number;
  count: number;
}

/** The table that most records of a reading make; null where there is none. */
export function findTable({ runs, rows }: LaxReading): LaxTable | null {
  const tables = new Map<number, LaxTable>();
  for (const { from, width, count } of runs.length > MOST_RUNS ? [] : runs) {
    const table = tables.get(width) ?? { from, to: 0, width, count: 0 };
    if (width > 1) tables.set(width, { ...table, to: from + count - 1, count: table.count + count });
  }
  const [most] = [...tables.values()].toSorted((one, other) => other.count - one.count);
  return most !== undefined && 2 * most.count >= rows - 1 ? most : null;
}

/** The first records of a text as they would be read with a separator, each a list of its values. */
export function listRows(text: string, mark: string, most: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let from = 0;
  let isOpen = false;
  for (let at = 0; at <= text.length && rows.length < most; at++) {
    const one = text[at] ?? "\n";
    if (one === '"' && (isOpen || at === from)) isOpen = !isOpen;
    else if (one === '"' && text[at - 1] === '"' && text[from] === '"') isOpen = true;
    if (isOpen || (one !== mark && one !== "\n")) continue;
    row.push(
      text
        .slice(from, at)
        .trim()
        .replace(/^"(.*)"$/s, "$1"),
    );
    from = at + 1;
    if (one === mark) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
