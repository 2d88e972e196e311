import { joinWords } from "../../../ground/text.ts";
import {
  CHANNEL_MEMBERS,
  type Channel,
  type Chart,
  type ChartField,
  FIELD_TYPES,
  type FieldLook,
  type FieldType,
  type Mark,
} from "./chart.ts";
import {
  isObject,
  type JsonObject,
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
export type FieldReadings = { horizontal: boolean } & Record<Channel, FieldReading | null>;

const CHANNELS: readonly string[] = Object.keys(CHANNEL_MEMBERS);
const NO_FIELDS = { x: null, y: null, y2: null, line: null, color: null, facet: null };
const LABEL_TYPES: readonly FieldType[] = ["nominal", "ordinal"];
const VALUE_TYPES: readonly FieldType[] = ["quantitative"];
const BAR_MEND =
  "; for numbers that only name the bars write nominal or ordinal, for horizontal bars make y so";
const DATES_MEND = "; bars of dates stand: make x temporal and y quantitative";

/** Reads `encoding` and notes every problem in it; `mark` is null where it could not be read. */
export function readFields(value: unknown, mark: Mark | null, problems: ProblemList): FieldReadings {
  const encoding = readObject(value, "encoding", CHANNELS, { needed: ["x", "y"], problems });
  if (encoding === null) return { horizontal: false, ...NO_FIELDS };
  const has = (channel: Channel): boolean => Object.hasOwn(encoding, channel);
  if (has("y2") && mark !== "area" && mark !== null)
    problems.add(
      "encoding.y2",
      `is for areas alone: write "mark": "area", or leave it out of a ${mark} chart.`,
    );
  if (has("line") && !has("y2"))
    problems.add("encoding.line", "is drawn over a band: write encoding.y2 beside it, or leave it out.");
  const horizontal = mark === "bar" && liesDown(encoding);
  const upright = mark === "bar" ? [...LABEL_TYPES, "temporal" as const] : FIELD_TYPES;
  const read = (channel: Channel, types: readonly FieldType[], mend = ""): FieldReading | null =>
    readField(encoding, channel, {
      // A band shows no value by a length from 0: its scale is a line's.
      ...{ types, mend, mark: mark === "area" && has("y2") ? "line" : mark, problems },
      isValue: channel === (horizontal ? "x" : "y"),
    });
  const x = horizontal ? read("x", VALUE_TYPES) : read("x", upright, BAR_MEND);
  const y = horizontal ? read("y", LABEL_TYPES, DATES_MEND) : read("y", VALUE_TYPES);
  const readIfThere = (channel: Channel, types: readonly FieldType[]) =>
    has(channel) ? read(channel, types) : null;
  const rest = {
    y2: readIfThere("y2", VALUE_TYPES),
    line: readIfThere("line", VALUE_TYPES),
    color: readIfThere("color", LABEL_TYPES),
    facet: readIfThere("facet", LABEL_TYPES),
  };
  return horizontal ? { horizontal, x: y, y: x, ...rest } : { horizontal, x, y, ...rest };
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
  const shape = { needed: ["field", "type"], problems };
  const object = readObject(memberOf(encoding, channel), path, CHANNEL_MEMBERS[channel], shape);
  if (object === null) return null;
  const type = readType(typeOf(object, channel), `${path}.type`, rules);
  return {
    channel,
    field: readFieldName(memberOf(object, "field"), `${path}.field`, problems),
    type,
    title: readText(memberOf(object, "title"), `${path}.title`, { problems }),
    ...readLook(object, { ...rules, channel, type }),
  };
}

/** The type as written; the other end of a band and a line over it need not name theirs. */
function typeOf(object: JsonObject, channel: Channel): unknown {
  const isTaken = (channel === "y2" || channel === "line") && !Object.hasOwn(object, "type");
  return isTaken ? "quantitative" : memberOf(object, "type");
}

/** The declared type, also where the channel may not have it: the rows are then still checked by it. */
function readType(
  value: unknown,
  path: string,
  { types, mend, problems }: { types: readonly FieldType[]; mend: string; problems: ProblemList },
): FieldType | null {
  const declared = FIELD_TYPES.find((type) => type === value);
  if (declared === undefined) return readChoice(value, path, types, problems);
  if (!types.includes(declared))
    problems.add(path, `must be ${joinWords(types, "or")}, got ${declared}${mend}.`);
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
export function settleFields({
  horizontal,
  ...readings
}: FieldReadings): Pick<Chart, keyof FieldReadings> | null {
  const [x, y] = [settle(readings.x), settle(readings.y)];
  if (x === null || y === null) return null;
  const rest = {
    y2: settle(readings.y2),
    line: settle(readings.line),
    color: settle(readings.color),
    facet: settle(readings.facet),
  };
  const isWhole = (["y2", "line", "color", "facet"] as const).every((name) => !readings[name] || rest[name]);
  return isWhole ? { horizontal, x, y, ...rest } : null;
}

function settle(reading: FieldReading | null): ChartField | null {
  if (reading === null || reading.field === null || reading.type === null) return null;
  const { field, type, title, ...rest } = reading;
  return { ...rest, field, type, title: title ?? field };
}
