import type { FieldErrors } from "../../ground/errors.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import { takeCodePoints } from "../../ground/text.ts";
import { isNumberText } from "../inspection/column-types.ts";
import { type ColumnBlanks, type Condition, QUERY_OPS } from "../rows/conditions.ts";
import { MOST_VALUE_CHARACTERS } from "../rows/query.ts";
import { readExact } from "./exact.ts";
import {
  AGGREGATE_OPS,
  type Aggregate,
  DATE_PARTS,
  type EntryList,
  type Group,
  MOST,
  MOST_BLANK_CHARACTERS,
  MOST_NAME_CHARACTERS,
  MOST_STEP_CHARACTERS,
  ORDERS,
  type SortKey,
} from "./question.ts";
import type { RawEntry } from "./raw-question.ts";

type Entries = readonly RawEntry[] | undefined;

/** Notes a fault unless its field has one. */
type Say = (member: string, sentence: string) => void;

function readEntries<Read>(
  list: EntryList,
  entries: Entries,
  errors: FieldErrors,
  read: (entry: RawEntry, say: Say) => Read | null,
): Read[] {
  const most = list === "blank" ? MOST.blankColumns : MOST[list];
  if ((entries?.length ?? 0) > most) errors[list] ??= [`Use at most ${most} of ${list}.`];
  return (entries ?? []).slice(0, most).flatMap((entry) => {
    const say: Say = (member, sentence) => {
      errors[`${list}.${entry.index}.${member}`] ??= [sentence];
    };
    const one = read(entry, say);
    return one === null ? [] : [one];
  });
}

function textOf({ members }: RawEntry, name: string, say: Say): string | null {
  const value = members.get(name) ?? null;
  if (!Array.isArray(value)) return value;
  say(name, `The ${name} is one text, not a list.`);
  return null;
}

function chooseOne<Choice extends string>(
  text: string | null,
  choices: readonly Choice[],
  say: (sentence: string) => void,
): Choice | null {
  const choice = choices.find((one) => one === text) ?? null;
  if (choice === null)
    say(`Use one of ${choices.join(", ")}.${text === null ? "" : askWhetherMeant(text, choices)}`);
  return choice;
}

/** Reads conditions on the cells of a table, or of a grouped result. */
export function readConditions(
  list: "filter" | "having",
  entries: Entries,
  errors: FieldErrors,
): Condition[] {
  return readEntries(list, entries, errors, (entry, say) => {
    const column = textOf(entry, "column", say);
    if (column === null) say("column", "Name the column of this condition.");
    const op = chooseOne(textOf(entry, "op", say), QUERY_OPS, (sentence) => say("op", sentence));
    const sent = entry.members.get("value") ?? null;
    const values = op === "in" ? readValues(sent, say) : [];
    const value = op === "in" || op === null ? null : readValue(sent, op, say);
    // Without its operator the condition is never run: its column is only looked up.
    return column === null ? null : { index: entry.index, column, op: op ?? "eq", value, values };
  });
}

function readValue(sent: string | string[] | null, op: string, say: Say): string | null {
  if (Array.isArray(sent)) {
    say("value", `Give one value: only in takes a list, ${op} does not.`);
    return null;
  }
  const value = sent === "" ? null : sent;
  if (value === null && op !== "eq" && op !== "ne")
    say("value", `Give a value: only eq and ne compare with blank cells, ${op} does not.`);
  if (value !== null) checkLength(value, say);
  return value;
}

function readValues(sent: string | string[] | null, say: Say): string[] {
  const values = sent === null ? [] : [sent].flat();
  if (values.length === 0 || values.length > MOST.values)
    say("value", `Give 1 to ${MOST.values} values: filter[0][value][]=one, filter[0][value][]=two.`);
  const read = values.slice(0, MOST.values);
  for (const value of read) checkLength(value, say);
  return [...new Set(read)];
}

function checkLength(value: string, say: Say): void {
  if (takeCodePoints(value, MOST_VALUE_CHARACTERS) !== value)
    say("value", `Give a value of at most ${MOST_VALUE_CHARACTERS} characters.`);
}

/** Reads what counts as blank in one column each. */
export function readColumnBlanks(entries: Entries, errors: FieldErrors): ColumnBlanks[] {
  const names = new Set<string>();
  return readEntries("blank", entries, errors, (entry, say) => {
    const column = textOf(entry, "column", say);
    if (column === null) say("column", "Name the column in which these texts count as blank.");
    else if (names.has(column)) say("column", "The column is named twice. Name it once.");
    else names.add(column);
    // A parameter is named as the value of a condition is.
    const member = entry.members.has("value") ? "value" : "values";
    const values = [entry.members.get(member) ?? []].flat();
    if (values.length === 0 || values.length > MOST.blankValues)
      say(member, `Give 1 to ${MOST.blankValues} texts.`);
    if (values.some((text) => takeCodePoints(text, MOST_BLANK_CHARACTERS) !== text))
      say(member, `Give texts of at most ${MOST_BLANK_CHARACTERS} characters.`);
    return column === null ? null : { index: entry.index, column, values: [...new Set(values)] };
  });
}

/** Reads the columns by which rows are grouped. */
export function readGroups(entries: Entries, errors: FieldErrors): Group[] {
  const names = new Set<string>();
  return readEntries("group", entries, errors, (entry, say) => {
    const column = textOf(entry, "column", say);
    if (column === null) say("column", "Name the column of this group.");
    else if (names.has(column)) say("column", "The column is grouped twice. Name it once.");
    else names.add(column);
    const part = textOf(entry, "by", say);
    const by = part === null ? null : chooseOne(part, DATE_PARTS, (sentence) => say("by", sentence));
    const step = readStep(textOf(entry, "step", say), say);
    if (entry.members.has("by") && entry.members.has("step"))
      say("step", "Use by for dates or step for numbers, not both.");
    return column === null ? null : { index: entry.index, column, by, step };
  });
}

function readStep(text: string | null, say: Say): string | null {
  if (text === null) return null;
  const step = text.length <= MOST_STEP_CHARACTERS && isNumberText(text) ? readExact(text) : null;
  if (step !== null && step.units > 0n) return text;
  say(
    "step",
    `The step must be a number above 0, of at most ${MOST_STEP_CHARACTERS} characters, such as 10 or 0.5.`,
  );
  return null;
}

/** Reads what is told of each group; with groups and nothing asked for, a count. */
export function readAggregates(entries: Entries, isWithGroups: boolean, errors: FieldErrors): Aggregate[] {
  if (entries === undefined)
    return isWithGroups ? [{ index: 0, op: "count", column: null, as: "count" }] : [];
  return readEntries("aggregate", entries, errors, (entry, say) => {
    const op = chooseOne(textOf(entry, "op", say), AGGREGATE_OPS, (sentence) => say("op", sentence));
    const column = textOf(entry, "column", say);
    if (column === null && op !== null && op !== "count")
      say("column", `Name the column: only count needs none, ${op} does.`);
    const given = textOf(entry, "as", say);
    // Without its operator its column of the result has no name.
    const byDefault = op === null ? "" : column === null ? op : `${op}_${column}`;
    const as = given ?? byDefault;
    if (given === null && op === null) return { index: entry.index, op: "count", column, as };
    if (as === "" || !as.isWellFormed() || takeCodePoints(as, MOST_NAME_CHARACTERS) !== as)
      say(
        "as",
        `Give an as of 1 to ${MOST_NAME_CHARACTERS} characters${given === null ? "; the column's own name makes a longer one" : ""}.`,
      );
    return { index: entry.index, op: op ?? "count", column, as };
  });
}

/** Reads the columns by which the result is sorted. */
export function readSort(entries: Entries, errors: FieldErrors): SortKey[] {
  const names = new Set<string>();
  return readEntries("sort", entries, errors, (entry, say) => {
    const column = textOf(entry, "column", say);
    if (column === null) say("column", "Name the column to sort by.");
    else if (names.has(column)) say("column", "The column is sorted by twice. Name it once.");
    else names.add(column);
    const text = textOf(entry, "order", say);
    const order = text === null ? "asc" : chooseOne(text, ORDERS, (sentence) => say("order", sentence));
    return column === null ? null : { index: entry.index, column, isDescending: order === "desc" };
  });
}
