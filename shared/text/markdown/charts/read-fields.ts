import { type ChartField, FIELD_TYPES, type FieldType, type Mark } from "./chart.ts";
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
  color: FieldReading | null;
}

const LABEL_TYPES: readonly FieldType[] = ["nominal", "ordinal"];
const BAR_MEND = "; for numbers that only name the bars write nominal or ordinal";

/** Reads `encoding` and notes every problem in it; `mark` is null where it could not be read. */
export function readFields(value: unknown, mark: Mark | null, problems: ProblemList): FieldReadings {
  const encoding = readObject(value, "encoding", ["x", "y", "color"], { problems });
  if (encoding === null) return { x: null, y: null, color: null };
  const xTypes = mark === "bar" ? [...LABEL_TYPES, "temporal" as const] : FIELD_TYPES;
  return {
    x: readField(encoding, "x", xTypes, problems),
    y: readField(encoding, "y", ["quantitative"], problems),
    color: Object.hasOwn(encoding, "color") ? readField(encoding, "color", LABEL_TYPES, problems) : null,
  };
}

function readField(
  encoding: JsonObject,
  channel: string,
  types: readonly FieldType[],
  problems: ProblemList,
): FieldReading | null {
  const path = `encoding.${channel}`;
  const object = readObject(memberOf(encoding, channel), path, ["field", "type", "title"], { problems });
  if (object === null) return null;
  return {
    field: readFieldName(memberOf(object, "field"), `${path}.field`, problems),
    type: readType(memberOf(object, "type"), `${path}.type`, types, problems),
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

/** The encoding with its title settled, once nothing is missing. */
export function settleField({ field, type, title }: FieldReading): ChartField | null {
  return field === null || type === null ? null : { field, type, title: title ?? field };
}
