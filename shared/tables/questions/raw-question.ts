import { addFault, type FieldErrors } from "../../ground/errors.ts";
import { findJsonFault, sayPlace } from "../../ground/json-syntax.ts";
import { askWhetherMeant, refuseName, shortenName, UNKNOWN_SHOWN } from "../../ground/nearest-name.ts";
import {
  ENTRY_LISTS,
  ENTRY_MEMBERS,
  type EntryList,
  MOST,
  QUESTION_MEMBERS,
  SINGLE_MEMBERS,
  TEXT_LISTS,
} from "./question.ts";

/** One entry of a list, such as a condition: its members as sent. */
export interface RawEntry {
  index: number;
  members: Map<string, string | string[]>;
}

/** A question as sent, by parameters or as JSON: all values are texts, numbers as they were written. */
export interface RawQuestion {
  singles: Map<string, string>;
  texts: Map<string, string[]>;
  entries: Map<string, RawEntry[]>;
}

/** A question without members. */
export function startRaw(): RawQuestion {
  return { singles: new Map(), texts: new Map(), entries: new Map() };
}

/** Adds to one of several lists. */
export function addTo<Value>(lists: Map<string, Value[]>, name: string, value: Value): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}

/** Notes an unknown member of an entry; true where it is known. */
export function refuseUnknownMember(
  list: EntryList,
  index: number,
  member: string,
  errors: FieldErrors,
): boolean {
  const known: readonly string[] = ENTRY_MEMBERS[list];
  if (known.includes(member)) return true;
  errors[`${list}.${index}.${shortenName(member)}`] = [refuseMember(list, index, member, known)];
  return false;
}

function refuseMember(list: string, index: number, member: string, known: readonly string[]): string {
  return `${list}.${index} has no member ${shortenName(member)}.${askWhetherMeant(member, known)} There are ${known.join(", ")}.`;
}

const QUESTION = { kind: "member", taker: "question" };

/** Reads the JSON of a question. */
export function readJsonQuestion(text: string, errors: FieldErrors): RawQuestion {
  const parsed = parseJson(text);
  if (parsed.ok) return readQuestionMembers(parsed.value, errors);
  errors.question ??= [parsed.message];
  return startRaw();
}

/** Reads the members of a question from an object whose numbers are texts, as `keepNumberText` leaves them. */
export function readQuestionMembers(members: object, errors: FieldErrors): RawQuestion {
  const raw = startRaw();
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(members)) {
    if (value === null) continue;
    if (SINGLE_MEMBERS.some((one) => one === name)) readSingle(raw, name, value, errors);
    else if (name === "blank") readBlank(raw, value, errors);
    else if (TEXT_LISTS.some((one) => one === name)) readTexts(raw, name, value, errors);
    else if (ENTRY_LISTS.some((one) => one === name)) readEntries(raw, name as EntryList, value, errors);
    else unknown.push(name);
  }
  for (const name of unknown.slice(0, UNKNOWN_SHOWN))
    addFault(errors, shortenName(name), refuseName(shortenName(name), QUESTION, QUESTION_MEMBERS));
  return raw;
}

function readSingle(raw: RawQuestion, name: string, value: unknown, errors: FieldErrors): void {
  if (typeof value === "string") raw.singles.set(name, value);
  else errors[name] = [`The ${name} must be a text or a number.`];
}

function readTexts(raw: RawQuestion, name: string, value: unknown, errors: FieldErrors): void {
  if (!Array.isArray(value)) errors[name] = [`The ${name} must be a list of texts.`];
  else {
    const wrong = value.findIndex((one) => typeof one !== "string");
    if (wrong >= 0) errors[`${name}.${wrong}`] = ["This must be a text."];
    raw.texts.set(
      name,
      value.filter((one) => typeof one === "string"),
    );
  }
}

function readEntries(raw: RawQuestion, name: EntryList, value: unknown, errors: FieldErrors): void {
  if (!Array.isArray(value)) {
    errors[name] = [`The ${name} must be a list of objects with ${ENTRY_MEMBERS[name].join(", ")}.`];
    return;
  }
  for (const [index, one] of value.slice(0, MOST_ENTRIES_READ).entries()) {
    const entry: RawEntry = { index, members: new Map() };
    addTo(raw.entries, name, entry);
    if (typeof one !== "object" || one === null || Array.isArray(one)) {
      errors[`${name}.${index}`] = [`This must be an object with ${ENTRY_MEMBERS[name].join(", ")}.`];
    } else readEntryMembers(entry, name, one, errors);
  }
}

/** More than any list may hold, so that a longer one is refused for its length. */
const MOST_ENTRIES_READ = 11;
const MOST_BLANKS_READ = MOST.blank + MOST.blankColumns + 1;
const BLANK_MEMBERS = ["column", "values"];

/** Texts of any column, and objects of one column each. */
function readBlank(raw: RawQuestion, value: unknown, errors: FieldErrors): void {
  if (!Array.isArray(value)) {
    errors.blank = ["The blank must be a list of texts and of objects with column and values."];
    return;
  }
  raw.texts.set("blank", []);
  for (const [index, one] of value.slice(0, MOST_BLANKS_READ).entries()) {
    if (typeof one === "string") addTo(raw.texts, "blank", one);
    else if (typeof one !== "object" || one === null || Array.isArray(one))
      errors[`blank.${index}`] = ["This must be a text, or an object with column and values."];
    else readColumnBlanks(raw, index, one, errors);
  }
}

function readColumnBlanks(raw: RawQuestion, index: number, object: object, errors: FieldErrors): void {
  const entry: RawEntry = { index, members: new Map() };
  addTo(raw.entries, "blank", entry);
  for (const [member, value] of Object.entries(object)) {
    const field = `blank.${index}.${shortenName(member)}`;
    const isTexts = Array.isArray(value) && value.every((one) => typeof one === "string");
    if (!BLANK_MEMBERS.includes(member))
      errors[field] = [refuseMember("blank", index, member, BLANK_MEMBERS)];
    else if (member === "column" ? typeof value === "string" : isTexts) entry.members.set(member, value);
    else errors[field] = [`The ${member} must be a ${member === "column" ? "text" : "list of texts"}.`];
  }
}

function readEntryMembers(entry: RawEntry, list: EntryList, object: object, errors: FieldErrors): void {
  for (const [member, value] of Object.entries(object)) {
    if (!refuseUnknownMember(list, entry.index, member, errors) || value === null) continue;
    const isTexts = member === "value" && Array.isArray(value) && value.every((v) => typeof v === "string");
    if (typeof value === "string" || isTexts) entry.members.set(member, value);
    else
      errors[`${list}.${entry.index}.${member}`] = [
        member === "value"
          ? "The value must be a text, or with in a list of texts."
          : `The ${member} must be a text.`,
      ];
  }
}

type ParsedJson = { ok: true; value: object } | { ok: false; message: string };

/** Parses the JSON of a question; its numbers become the texts by which they were written, so no digit is lost. */
function parseJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text, keepNumberText);
  } catch {
    return {
      ok: false,
      message: `The question is no JSON from ${sayPlace(text, findJsonFault(text)?.at ?? 0)} on.`,
    };
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ok: true, value };
  return { ok: false, message: "The question must be a JSON object; line 1, column 1 begins none." };
}

/** A reviver of JSON: numbers become the texts by which they were written. */
export function keepNumberText(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === "boolean") return String(value);
  return typeof value === "number" ? (context?.source ?? String(value)) : value;
}
