import type { ColumnType } from "../inspection/verdict.ts";

/**
 * How the cells of a column are written, where its type leaves that open. Numbers: `integer`, `decimal`, or `vast`
 * where one is beyond a double. Dates: `day`,
 * `month`, `time` (as XML Schema's dateTime, all of one zone), `times` (others), or `dates` (several of these). Booleans:
 * their spellings. Empty for every other type.
 */
export type ColumnForm = string;

/** Finds the form of a column from its values, one after the other. */
export interface FormTally {
  add(bytes: Buffer, start: number, end: number): void;
  form(): ColumnForm;
}

/** The tally of a column of a type, of which nothing was read. */
export function tallyForm(type: ColumnType): FormTally {
  if (type === "number") return tallyNumbers();
  if (type === "date") return tallyDates();
  return type === "boolean" ? tallySpellings() : { add: () => undefined, form: () => "" };
}

const [POINT, SMALL_E, CAPITAL_E] = [0x2e, 0x65, 0x45];
/** A number of fewer digits and without an exponent is within a double. */
const DIGITS_OF_DOUBLES = 308;

/** Whole numbers are written with digits alone. */
function tallyNumbers(): FormTally {
  let [isWhole, isVast] = [true, false];
  return {
    add(bytes, start, end) {
      let mayBeVast = end - start > DIGITS_OF_DOUBLES;
      for (let at = start; at < end; at++) {
        const byte = bytes[at];
        if (byte === POINT) isWhole = false;
        else if (byte === SMALL_E || byte === CAPITAL_E) {
          isWhole = false;
          mayBeVast = true;
        }
      }
      if (mayBeVast && !isVast) isVast = !Number.isFinite(Number(bytes.toString("latin1", start, end)));
    },
    form: () => (isVast ? "vast" : isWhole ? "integer" : "decimal"),
  };
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

function tallyDates(): FormTally {
  let found: ColumnForm = "";
  let zone: string | null = null;
  return {
    add(bytes, start, end) {
      if (found === "dates") return;
      const text = bytes.toString("latin1", start, end);
      const own = formOfDate(text);
      if (found === "") found = own;
      else if (found !== own) found = found.startsWith("time") && own.startsWith("time") ? "times" : "dates";
      if (found !== "time") return;
      const ownZone = DATE_TIME.exec(text)?.[1] ?? "";
      zone ??= ownZone;
      if (zone !== ownZone) found = "times";
    },
    form: () => found,
  };
}

function formOfDate(text: string): ColumnForm {
  if (text.length === "2026-01".length) return "month";
  if (text.length === "2026-01-31".length) return "day";
  return DATE_TIME.test(text) ? "time" : "times";
}

function tallySpellings(): FormTally {
  const spellings = new Set<string>();
  return {
    add: (bytes, start, end) => void spellings.add(bytes.toString("latin1", start, end)),
    form: () => [...spellings].sort().join(" "),
  };
}

const WHOLE = /^-?\d+$/;

/** Whether a text is a whole number over 2^53, of which a double may lose digits. */
export function isLongNumber(text: string): boolean {
  return WHOLE.test(text) && !Number.isSafeInteger(Number(text));
}
