import type { AnnotatedValue, Annotation } from "./chart.ts";
import { nameZone } from "./chart-times.ts";
import { holds } from "./check-scales.ts";
import {
  askMeant,
  type JsonObject,
  memberOf,
  type ProblemList,
  readObject,
  readText,
  showValue,
} from "./members.ts";
import type { FieldReading, FieldReadings } from "./read-fields.ts";
import type { RowsReading } from "./read-rows.ts";
import { readDate, readLabel, readNumber } from "./read-values.ts";

const MOST_ANNOTATIONS = 10;
const LABEL_CHARACTERS = 80;
const KINDS = ["rule", "band", "point"] as const;
type Kind = (typeof KINDS)[number];
type Axis = "x" | "y";

const FORMS = '{"rule": {"y": 40}, "label": "Target"}';

/** The axes of a block, and the names that its rows have. */
type Axes = FieldReadings & Pick<RowsReading, "categories" | "rows" | "zone">;

/** Reads `annotations` and notes every problem in it; none where it is left out. */
export function readAnnotations(value: unknown, axes: Axes, problems: ProblemList): Annotation[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    problems.add("annotations", `must be a list, got ${showValue(value)}; write [${FORMS}].`);
    return [];
  }
  if (value.length > MOST_ANNOTATIONS) {
    problems.add("annotations", `may hold ${MOST_ANNOTATIONS}, got ${value.length}; leave some out.`);
    return [];
  }
  return value.flatMap((one, index) => readAnnotation(one, `annotations[${index}]`, axes, problems) ?? []);
}

function readAnnotation(value: unknown, path: string, axes: Axes, problems: ProblemList): Annotation | null {
  const object = readObject(value, path, [...KINDS, "label"], { problems });
  if (object === null) return null;
  const given = memberOf(object, "label");
  const label = readText(given, `${path}.label`, { limit: LABEL_CHARACTERS, problems });
  if (label === null && (given === undefined || typeof given === "string"))
    problems.add(`${path}.label`, `is missing; write 1 to ${LABEL_CHARACTERS} characters.`);
  const kinds = KINDS.filter((kind) => Object.hasOwn(object, kind));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    const got = kind === undefined ? "none of them" : kinds.join(" and ");
    problems.add(path, `must have one of rule, band and point, got ${got}; write ${FORMS}.`);
    return null;
  }
  const place = readPlace(memberOf(object, kind), `${path}.${kind}`, { kind, axes, problems });
  return place === null || label === null ? null : { kind, label, ...place };
}

interface PlaceReading {
  kind: Kind;
  axes: Axes;
  problems: ProblemList;
}

/** Where an annotation lies: a rule and a band on one axis, a point on both. */
function readPlace(value: unknown, path: string, reading: PlaceReading): Pick<Annotation, Axis> | null {
  const { kind, problems } = reading;
  const object = readObject(value, path, ["x", "y"], { problems });
  if (object === null) return null;
  const named = (["x", "y"] as const).filter((axis) => Object.hasOwn(object, axis));
  if (kind === "point" ? named.length < 2 : named.length !== 1) {
    const wanted = kind === "point" ? "both x and y" : "either x or y";
    const got = named.length === 0 ? "neither" : named.join(" and ");
    problems.add(path, `must have ${wanted}, got ${got}.`);
    return null;
  }
  const ends = { x: null, y: null, ...readEnds(object, path, named, reading) };
  if (named.some((axis) => ends[axis] === null)) return null;
  return reading.axes.horizontal ? { x: ends.y, y: ends.x } : ends;
}

function readEnds(object: JsonObject, path: string, named: readonly Axis[], reading: PlaceReading) {
  const ends: Partial<Pick<Annotation, Axis>> = {};
  for (const axis of named) {
    const [value, place] = [memberOf(object, axis), `${path}.${axis}`];
    if (reading.kind === "band") ends[axis] = readSpan(value, place, axis, reading);
    else {
      const one = readValue(value, place, axis, reading);
      ends[axis] = one && [one, one];
    }
  }
  return ends;
}

function readSpan(value: unknown, path: string, axis: Axis, reading: PlaceReading): Annotation[Axis] {
  const { problems } = reading;
  if (!Array.isArray(value) || value.length !== 2) {
    problems.add(path, `must be a list of two values, got ${showValue(value)}; write [from, to].`);
    return null;
  }
  const [from, to] = [0, 1].map((at) => readValue(value[at], `${path}[${at}]`, axis, reading));
  if (!from || !to) return null;
  // Names may be drawn in another order than the data's: a band reaches from either of them to the other.
  const isNamed = typeof from.written === "string" && fieldOf(axis, reading.axes)?.type !== "temporal";
  if (isNamed ? from.written !== to.written : from.at < to.at) return [from, to];
  const got = `${showValue(from.written)} and ${showValue(to.written)}`;
  const wanted = isNamed ? "have two names" : "rise from the first value to the second";
  problems.add(path, `must ${wanted}, got ${got}.`);
  return null;
}

/** A value in the form of its axis; null where its problem is noted, or where the axis is none itself. */
function readValue(
  value: unknown,
  path: string,
  axis: Axis,
  { axes, problems }: PlaceReading,
): AnnotatedValue | null {
  const field = fieldOf(axis, axes);
  if (field === null || field.type === null) return null;
  if (field.type === "quantitative") return readAnnotatedNumber(value, path, field, problems);
  if (field.type === "temporal") return readAnnotatedTime(value, path, axes, problems);
  if (value === undefined || value === null) {
    problems.add(path, "must be a name that the data have, got null.");
    return null;
  }
  const label = readLabel(value, (_, reason) => problems.add(path, reason));
  return label === null ? null : findName(label, path, axes, problems);
}

function readAnnotatedNumber(
  value: unknown,
  path: string,
  field: FieldReading,
  problems: ProblemList,
): AnnotatedValue | null {
  const number = readNumber(value, (_, reason) => problems.add(path, reason));
  if (number === null || holds(field, number))
    return number === null ? null : { written: number, at: number };
  const { domain } = field.scale;
  const wanted =
    domain === null
      ? "be above 0 on a log scale"
      : `lie from ${domain.join(" to ")}, the domain of its scale`;
  problems.add(path, `must ${wanted}, got ${number}.`);
  return null;
}

function readAnnotatedTime(
  value: unknown,
  path: string,
  { zone, rows }: Axes,
  problems: ProblemList,
): AnnotatedValue | null {
  const time = readDate(value, (_, reason) => problems.add(path, reason));
  if (time === null) return null;
  if (time.zone === null || time.zone === zone || rows.length === 0) return { written: time.x, at: time.at };
  const mend = "which the rows have not; write it by their clock, without a zone";
  problems.add(path, `has the zone ${nameZone(time.zone)}, ${mend}.`);
  return null;
}

function fieldOf(axis: Axis, { x, y }: Axes): FieldReading | null {
  return [x, y].find((one) => one?.channel === axis) ?? null;
}

const MOST_NAMES = 12;

/** Before a question is asked there are no rows, and no name is known. */
function findName(
  label: string,
  path: string,
  { categories, rows }: Axes,
  problems: ProblemList,
): AnnotatedValue | null {
  const at = categories.indexOf(label);
  if (at >= 0 || rows.length === 0) return { written: label, at };
  const names = categories.slice(0, MOST_NAMES).map(showValue).join(", ");
  const more = categories.length > MOST_NAMES ? " and others" : "";
  const named = `${showValue(label)}${askMeant(label, categories, showValue)}`;
  problems.add(path, `names ${named}, which is not in the data; they have ${names}${more}.`);
  return null;
}
