import { RawJson } from "../../../ground/raw-json.ts";
import { joinWords } from "../../../ground/text.ts";
import {
  AXIS_MEMBERS,
  CHANNEL_MEMBERS,
  type Channel,
  type ChartScale,
  type ChartSort,
  type FieldLook,
  type FieldType,
  type Mark,
  PLAIN_LOOK,
  SCALE_MEMBERS,
  SCALE_TYPES,
} from "./chart.ts";
import {
  askMeant,
  isObject,
  type JsonObject,
  memberOf,
  type ProblemList,
  readChoice,
  readObject,
  readText,
  showValue,
  TITLE,
} from "./members.ts";

/** What decides how a field may look: its channel, its type, and whether marks show its numbers by their length. */
export interface LookRules {
  channel: Channel;
  type: FieldType | null;
  mark: Mark | null;
  /** Whether the field has the values of the chart. */
  isValue: boolean;
  problems: ProblemList;
}

/** Reads `scale`, `axis` and `sort` of an encoding, and notes every problem in them. */
export function readLook(object: JsonObject, rules: LookRules): FieldLook {
  const { channel, type, problems } = rules;
  const look = { ...PLAIN_LOOK };
  const taken: readonly string[] = CHANNEL_MEMBERS[channel];
  for (const name of ["scale", "axis", "sort"] as const) {
    const value = memberOf(object, name);
    if (value === undefined || type === null || !taken.includes(name)) continue;
    const path = `encoding.${channel}.${name}`;
    const isNumber = type === "quantitative";
    const fits = name === "sort" ? !isNumber && type !== "temporal" : isNumber;
    const wanted = name === "sort" ? "names, of a nominal or ordinal field" : "a quantitative field";
    const mend = isObject(value) && name === "axis" && Object.hasOwn(value, "title") ? TITLE : "leave it out";
    if (!fits) problems.add(path, `is for ${wanted}, got ${type}; ${mend}.`);
    else if (name === "scale") look.scale = readScale(value, path, rules);
    else if (name === "axis") Object.assign(look, readAxis(value, path, problems));
    else look.sort = readSort(value, path, rules);
  }
  return look;
}

function readScale(value: unknown, path: string, { mark, isValue, problems }: LookRules): ChartScale {
  const object = readObject(value, path, SCALE_MEMBERS, { problems });
  if (object === null) return PLAIN_LOOK.scale;
  const [type, zero] = [memberOf(object, "type"), memberOf(object, "zero")];
  const isLog = type !== undefined && readChoice(type, `${path}.type`, SCALE_TYPES, problems) === "log";
  const domain = readDomain(memberOf(object, "domain"), `${path}.domain`, problems);
  if (zero !== undefined && typeof zero !== "boolean")
    problems.add(`${path}.zero`, `must be true or false, got ${showValue(zero)}.`);
  if (zero !== undefined && Object.hasOwn(object, "domain"))
    problems.add(
      `${path}.zero`,
      "stands beside domain, which says where the axis begins; leave one of them out.",
    );
  const scale = { log: isLog, zero: typeof zero === "boolean" ? zero : null, domain };
  if (isLog) checkLog(scale, path, problems);
  if (mark === "bar" || mark === "area") checkFilled(scale, path, { mark, isValue, problems });
  return scale;
}

function readDomain(value: unknown, path: string, problems: ProblemList): [number, number] | null {
  if (value === undefined) return null;
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const [low, high] = list.map((end) => (end instanceof RawJson ? Number(end.text) : end));
  const isRange =
    list.length === 2 && typeof low === "number" && typeof high === "number" && Number.isFinite(high - low);
  if (isRange && low < high) return [low, high];
  const got = list.length === 2 ? `[${list.map(showValue).join(", ")}]` : showValue(value);
  problems.add(path, `must be [a, b], two numbers with a below b, got ${got}.`);
  return null;
}

function checkLog({ zero, domain }: ChartScale, path: string, problems: ProblemList): void {
  if (zero === true)
    problems.add(`${path}.zero`, "must not be true on a log scale, which never comes to 0; leave it out.");
  if (domain !== null && domain[0] <= 0)
    problems.add(`${path}.domain`, `must lie above 0 on a log scale, got [${domain.join(", ")}].`);
}

/** The length of a bar and the height of an area are their values, so their scale is linear and begins at 0. */
function checkFilled(
  { log, zero, domain }: ChartScale,
  path: string,
  { mark, isValue, problems }: { mark: Mark; isValue: boolean; problems: ProblemList },
): void {
  const reason = `${mark}s show a value by their length from 0; use a line or points, or leave it out`;
  if (log) problems.add(`${path}.type`, `must be linear, got log: ${reason}.`);
  if (!isValue) return;
  if (zero === false) problems.add(`${path}.zero`, `must not be false: ${reason}.`);
  if (domain !== null && (domain[0] > 0 || domain[1] < 0))
    problems.add(`${path}.domain`, `must hold 0, got [${domain.join(", ")}]: ${reason}.`);
}

const FORMAT = /^,?(\.\d)?~?[fs%d]?$/;
const UNIT_CHARACTERS = 20;

function readAxis(value: unknown, path: string, problems: ProblemList): Pick<FieldLook, "format" | "unit"> {
  const object = readObject(value, path, AXIS_MEMBERS, { problems });
  if (object === null) return { format: null, unit: null };
  const unit = readText(memberOf(object, "unit"), `${path}.unit`, { limit: UNIT_CHARACTERS, problems });
  const format = memberOf(object, "format");
  const isFormat = typeof format === "string" && FORMAT.test(format);
  if (format !== undefined && !isFormat) {
    const mend = typeof format === "string" && format.includes("$") ? "; write a currency as unit" : "";
    const forms = '",", ",.1f", ".0%", "~s" or "d" (a part of d3-format)';
    problems.add(`${path}.format`, `must be a format such as ${forms}, got ${showValue(format)}${mend}.`);
  }
  return { unit, format: isFormat && format !== "" ? format : null };
}

function readSort(value: unknown, path: string, { channel, problems }: LookRules): ChartSort | null {
  if (value === null) return null;
  if (Array.isArray(value)) return readNames(value, path, problems);
  const values = channel === "x" ? "y" : "x";
  const orders: Readonly<Record<string, ChartSort>> = {
    [values]: { by: "value", descending: false },
    [`-${values}`]: { by: "value", descending: true },
    ascending: { by: "name", descending: false },
    descending: { by: "name", descending: true },
  };
  const order = typeof value === "string" && Object.hasOwn(orders, value) ? orders[value] : undefined;
  if (order !== undefined) return order;
  const known = joinWords(
    [...Object.keys(orders).map((name) => JSON.stringify(name)), "a list of names"],
    "or",
  );
  const [text, isDown] = [String(value), String(value).startsWith("-")];
  const meant = askMeant(
    text,
    Object.keys(orders).filter((name) => name.startsWith("-") === isDown),
    JSON.stringify,
  );
  problems.add(path, `must be ${known}, got ${showValue(value)}${meant}; null keeps the order of the data.`);
  return null;
}

const MOST_NAMES = 500;

function readNames(list: readonly unknown[], path: string, problems: ProblemList): ChartSort | null {
  if (list.length === 0 || list.length > MOST_NAMES) {
    problems.add(path, `must be a list of 1 to ${MOST_NAMES} names, got ${list.length}.`);
    return null;
  }
  const names = list.map((name) => (name instanceof RawJson ? name.text : name));
  const other = names.findIndex((name) => typeof name === "object");
  if (other >= 0) {
    problems.add(`${path}[${other}]`, `must be a name that the rows have, got ${showValue(list[other])}.`);
    return null;
  }
  const texts = names.map(String);
  const repeated = texts.findIndex((name, index) => texts.indexOf(name) < index);
  if (repeated < 0) return { by: "list", names: texts };
  problems.add(`${path}[${repeated}]`, `repeats ${showValue(texts[repeated])}; write each name once.`);
  return null;
}
