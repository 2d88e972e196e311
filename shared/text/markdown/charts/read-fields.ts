import { type Chart, type ChartField, FIELD_TYPES, type FieldType, type Mark } from "./chart.ts";
import {
  type JsonObject,
  listChoices,
  memberOf,
  type ProblemList,
  readChoice,
  readObject,
  readText,
  showValue,
} from "./members.ts";

/** One encoding as far as it could be read: null where its problem is noted. */
export interface FieldReading {
  field: string | null;
  type: FieldType | null;
  title: string | null;
}

/** The encodings of a block as far as they could be read. */
export interface FieldReadings {
  x: FieldReading | null;
  y: FieldReading | null;
  y2: FieldReading | null;
  line: FieldReading | null;
  color: FieldReading | null;
}

const LABEL_TYPES: readonly FieldType[] = ["nominal", "ordinal"];
const NUMBER_TYPES: readonly FieldType[] = ["quantitative"];
const CHANNELS = ["x", "y", "y2", "line", "color"] as const;
const BAR_MEND = "; for numbers that only name the bars write nominal or ordinal";

/** Reads `encoding` and notes every problem in it; `mark` is null where it could not be read. */
export function readFields(value: unknown, mark: Mark | null, problems: ProblemList): FieldReadings {
  const encoding = readObject(value, "encoding", CHANNELS, { problems });
  if (encoding === null) return { x: null, y: null, y2: null, line: null, color: null };
  const has = (channel: (typeof CHANNELS)[number]) => Object.hasOwn(encoding, channel);
  if (has("y2") && mark !== "area" && mark !== null)
    problems.add(
      "encoding.y2",
      `is for areas alone: write "mark": "area", or leave it out of a ${mark} chart.`,
    );
  if (has("line") && !has("y2"))
    problems.add("encoding.line", "is drawn over a band: write encoding.y2 beside it, or leave it out.");
  const xTypes = mark === "bar" ? [...LABEL_TYPES, "temporal" as const] : FIELD_TYPES;
  return {
    x: readField(encoding, "x", xTypes, problems),
    y: readField(encoding, "y", NUMBER_TYPES, problems),
    y2: has("y2") ? readField(encoding, "y2", NUMBER_TYPES, problems, "quantitative") : null,
    line: has("line") ? readField(encoding, "line", NUMBER_TYPES, problems, "quantitative") : null,
    color: has("color") ? readField(encoding, "color", LABEL_TYPES, problems) : null,
  };
}

/** `taken` is the type of a channel that need not name one. */
function readField(
  encoding: JsonObject,
  channel: string,
  types: readonly FieldType[],
  problems: ProblemList,
  taken?: FieldType,
): FieldReading | null {
  const path = `encoding.${channel}`;
  const object = readObject(memberOf(encoding, channel), path, ["field", "type", "title"], { problems });
  if (object === null) return null;
  return {
    field: readFieldName(memberOf(object, "field"), `${path}.field`, problems),
    type: readType(Object.hasOwn(object, "type") ? object.type : taken, `${path}.type`, types, problems),
    title: readText(memberOf(object, "title"), `${path}.title`, { problems }),
  };
}

/** The declared type, also where the channel may not have it: the rows are then still checked by it. */
function readType(
  value: unknown,
  path: string,
  allowed: readonly FieldType[],
  problems: ProblemList,
): FieldType | null {
  const declared = FIELD_TYPES.find((type) => type === value);
  if (declared === undefined) return readChoice(value, path, allowed, problems);
  const mend = path === "encoding.x.type" ? BAR_MEND : "";
  if (!allowed.includes(declared))
    problems.add(path, `must be ${listChoices(allowed)}, got ${declared}${mend}.`);
  return declared;
}

function readFieldName(value: unknown, path: string, problems: ProblemList): string | null {
  if (typeof value === "string" && value !== "") {
    // The name is checked as text and left as written: it must equal the name in the rows.
    readText(value, path, { problems });
    return value;
  }
  const name = "the name of a member of the rows";
  problems.add(
    path,
    value === undefined ? `is missing; write ${name}.` : `must be ${name}, got ${showValue(value)}.`,
  );
  return null;
}

/** The encodings with their titles settled, once nothing is missing of any that the block has. */
export function settleFields(readings: FieldReadings): Pick<Chart, keyof FieldReadings> | null {
  const [x, y] = [settle(readings.x), settle(readings.y)];
  if (x === null || y === null) return null;
  const rest = { y2: settle(readings.y2), line: settle(readings.line), color: settle(readings.color) };
  const isWhole = (["y2", "line", "color"] as const).every((name) => !readings[name] || rest[name]);
  return isWhole ? { x, y, ...rest } : null;
}

function settle(reading: FieldReading | null): ChartField | null {
  if (reading === null || reading.field === null || reading.type === null) return null;
  return { field: reading.field, type: reading.type, title: reading.title ?? reading.field };
}
