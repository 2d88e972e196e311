import {
  CHANNEL_MEMBERS,
  type Channel,
  type ChartField,
  FIELD_TYPES,
  type FieldLook,
  type FieldType,
  type Mark,
} from "./chart.ts";
import {
  isObject,
  type JsonObject,
  listChoices,
  memberOf,
  type ProblemList,
  readChoice,
  readObject,
  readText,
  showValue,
} from "./members.ts";
import { type LookRules, readLook } from "./read-looks.ts";

/** One encoding as far as it could be read: null where its problem is noted. */
export interface FieldReading extends FieldLook {
  channel: Channel;
  field: string | null;
  type: FieldType | null;
  title: string | null;
}

/** The encodings of a block as far as they could be read; of horizontal bars x has the names, y the values. */
export interface FieldReadings {
  horizontal: boolean;
  x: FieldReading | null;
  y: FieldReading | null;
  color: FieldReading | null;
}

const CHANNELS: readonly string[] = Object.keys(CHANNEL_MEMBERS);
const LABEL_TYPES: readonly FieldType[] = ["nominal", "ordinal"];
const VALUE_TYPES: readonly FieldType[] = ["quantitative"];
const BAR_MEND =
  "; for numbers that only name the bars write nominal or ordinal, for horizontal bars make y so";
const DATES_MEND = "; bars of dates stand: make x temporal and y quantitative";

/** Reads `encoding` and notes every problem in it; `mark` is null where it could not be read. */
export function readFields(value: unknown, mark: Mark | null, problems: ProblemList): FieldReadings {
  const encoding = readObject(value, "encoding", CHANNELS, { problems });
  if (encoding === null) return { horizontal: false, x: null, y: null, color: null };
  const horizontal = mark === "bar" && liesDown(encoding);
  const upright = mark === "bar" ? [...LABEL_TYPES, "temporal" as const] : FIELD_TYPES;
  const read = (channel: Channel, types: readonly FieldType[], mend = ""): FieldReading | null =>
    readField(encoding, channel, {
      ...{ types, mend, mark, problems },
      isValue: channel === (horizontal ? "x" : "y"),
    });
  const x = horizontal ? read("x", VALUE_TYPES) : read("x", upright, BAR_MEND);
  const y = horizontal ? read("y", LABEL_TYPES, DATES_MEND) : read("y", VALUE_TYPES);
  const color = Object.hasOwn(encoding, "color") ? read("color", LABEL_TYPES) : null;
  return horizontal ? { horizontal, x: y, y: x, color } : { horizontal, x, y, color };
}

/** Whether bars have their values on x: a quantitative x beside another y. */
function liesDown(encoding: JsonObject): boolean {
  const [x, y] = ["x", "y"].map((channel) => {
    const object = memberOf(encoding, channel);
    return FIELD_TYPES.find((type) => isObject(object) && type === memberOf(object, "type"));
  });
  return x === "quantitative" && y !== undefined && y !== x;
}

function readField(
  encoding: JsonObject,
  channel: Channel,
  rules: { types: readonly FieldType[]; mend: string } & Pick<LookRules, "mark" | "isValue" | "problems">,
): FieldReading | null {
  const { problems } = rules;
  const path = `encoding.${channel}`;
  const object = readObject(memberOf(encoding, channel), path, CHANNEL_MEMBERS[channel], { problems });
  if (object === null) return null;
  const type = readType(memberOf(object, "type"), `${path}.type`, rules);
  return {
    channel,
    field: readFieldName(memberOf(object, "field"), `${path}.field`, problems),
    type,
    title: readText(memberOf(object, "title"), `${path}.title`, { problems }),
    ...readLook(object, { ...rules, channel, type }),
  };
}

/** The declared type, also where the channel may not have it: the rows are then still checked by it. */
function readType(
  value: unknown,
  path: string,
  { types, mend, problems }: { types: readonly FieldType[]; mend: string; problems: ProblemList },
): FieldType | null {
  const declared = FIELD_TYPES.find((type) => type === value);
  if (declared === undefined) return readChoice(value, path, types, problems);
  if (!types.includes(declared)) problems.add(path, `must be ${listChoices(types)}, got ${declared}${mend}.`);
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
export function settleField({ field, type, title, ...rest }: FieldReading): ChartField | null {
  return field === null || type === null ? null : { ...rest, field, type, title: title ?? field };
}
