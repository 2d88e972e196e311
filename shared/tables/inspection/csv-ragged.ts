import { clip, findOtherSeparator } from "./csv-header.ts";
import { FileRefused } from "./verdict.ts";

/** A record whose number of values is not the header's. */
export interface RaggedRecord {
  /** The header is row 1, and on line 1; they differ where values hold line ends. */
  row: number;
  line: number;
  cells: number;
  isBlank: boolean;
}

/** How many such records a refusal tells of. */
const MOST_TOLD = 20;

/**
 * Adds a record to those found before it. Throws their refusal where more of them would help nobody: behind the
 * twentieth, and at the first one under a header of one name, where what separates the values is most likely wrong.
 */
export function noteRagged(found: RaggedRecord[], names: readonly string[], record: RaggedRecord): void {
  found.push(record);
  if (names.length === 1 || found.length === MOST_TOLD) throw refuseRagged(names, found);
}

/** The refusal of a file with such records: how the first one differs, and where the others are. */
export function refuseRagged(names: readonly string[], found: readonly RaggedRecord[]): FileRefused {
  const [first, ...others] = found;
  if (first === undefined) throw new Error("a refusal of ragged rows needs one");
  const { row, line, cells, isBlank } = first;
  const place = line === row ? `Row ${row}` : `Row ${row} (line ${line})`;
  const whole = `${place} has ${countValues(cells)}; the header has ${names.length}. Row 1 is the header`;
  return new FileRefused(`${whole}${explain(names, isBlank)}${describeOthers(others)}`);
}

const countValues = (cells: number) => (cells === 1 ? "1 value" : `${cells} values`);

function explain(names: readonly string[], isBlank: boolean): string {
  const [only = ""] = names;
  if (isBlank && names.length > 1) return ". This row is a blank line: remove it.";
  if (names.length > 1) return ". Give every row one value per column, and quote a value that holds a comma.";
  const separator = findOtherSeparator(names);
  if (separator !== null) {
    return `, and only commas separate values: it names one column, "${clip(only)}". Write commas in place of its ${separator}, and quote a value that holds a comma.`;
  }
  return `: it names one column, "${clip(only)}". Begin the file with the names of all columns, and quote a value that holds a comma.`;
}

function describeOthers(others: readonly RaggedRecord[]): string {
  const told = others.map(({ row, line, cells, isBlank }) => {
    const values = isBlank ? "blank" : countValues(cells);
    return line === row ? `${row} (${values})` : `${row} (line ${line}, ${values})`;
  });
  const last = told.pop();
  if (last === undefined) return "";
  if (told.length === 0) return ` Row ${last} differs too.`;
  const more = others.length + 1 === MOST_TOLD ? ` These are the first ${MOST_TOLD}.` : "";
  return ` Rows ${told.join(", ")} and ${last} differ too.${more}`;
}
