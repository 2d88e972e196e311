import { addFault, type FieldErrors } from "../../ground/errors.ts";
import { findJsonFault, sayPlace } from "../../ground/json-syntax.ts";
import {
  askWhetherMeant,
  findNameFaults,
  refuseName,
  shortenName,
  UNKNOWN_SHOWN,
} from "../../ground/nearest-name.ts";
import {
  ENTRY_LISTS,
  ENTRY_MEMBERS,
  type EntryList,
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

const LIST = /^(blank|columns|facet)(?:\[\d*\])?$/;
const ENTRY_NAME = /^(?:filter|group|aggregate|having|sort)(?:\[|$)/;
const ENTRY = /^([a-z]+)\[(\d{1,9})\]\[([^[\]]*)\](\[\d*\])?$/;

/** Every parameter, as a refusal lists them. */
const PARAMETERS = [
  "question",
  ...SINGLE_MEMBERS,
  ...TEXT_LISTS.map((name) => `${name}[]`),
  ...ENTRY_LISTS.flatMap((list) => ENTRY_MEMBERS[list].map((member) => `${list}[n][${member}]`)),
];

/** A question without members. */
export function startRaw(): RawQuestion {
  return { singles: new Map(), texts: new Map(), entries: new Map() };
}

/**
 * Reads the names of query parameters, or the JSON of `question`; unknown and repeated ones are errors. `also` may stand
 * beside either.
 */
export function readRawQuestion(
  query: URLSearchParams,
  errors: FieldErrors,
  also: readonly string[] = [],
): RawQuestion {
  const names = [...query.keys()];
  const single = names.filter((name) => !LIST.test(name) && !ENTRY_NAME.test(name));
  const faults = findNameFaults(single, ["question", ...SINGLE_MEMBERS, ...also], [...PARAMETERS, ...also]);
  Object.defineProperties(errors, Object.getOwnPropertyDescriptors(faults));
  const question = query.get("question");
  if (question === null) return readParameters(query, errors);
  if (names.some((name) => name !== "question" && !also.includes(name)))
    errors.question ??= ["Send the question as parameters or as this JSON object, not as both."];
  return readJsonQuestion(question, errors);
}

function readParameters(query: URLSearchParams, errors: FieldErrors): RawQuestion {
  const raw = startRaw();
  for (const [name, value] of query) {
    const list = LIST.exec(name)?.[1];
    if (list !== undefined) addTo(raw.texts, list, value);
    else if (ENTRY_NAME.test(name)) readEntryParameter(raw, name, value, errors);
    else if (!raw.singles.has(name)) raw.singles.set(name, value);
  }
  return raw;
}

function addTo<Value>(lists: Map<string, Value[]>, name: string, value: Value): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}

function readEntryParameter(raw: RawQuestion, name: string, value: string, errors: FieldErrors): void {
  const [, list = "", number = "", member = "", isList] = ENTRY.exec(name) ?? [];
  const known = ENTRY_LISTS.find((one) => one === list);
  if (known === undefined) {
    // An entry that cannot be read must not be dropped: the answer would be that to another question.
    const [first] = name.split("[");
    const asWritten = ENTRY_LISTS.find((one) => one === first) ?? "filter";
    errors[asWritten] ??= [
      `Write it as ${ENTRY_MEMBERS[asWritten].map((part) => `${asWritten}[0][${part}]`).join(", ")}.`,
    ];
    return;
  }
  const index = Number(number);
  let entry = raw.entries.get(known)?.find((one) => one.index === index);
  if (entry === undefined) {
    entry = { index, members: new Map() };
    addTo(raw.entries, known, entry);
  }
  addMember(entry, known, member, { value, isList: isList !== undefined }, errors);
}

function addMember(
  { index, members }: RawEntry,
  list: EntryList,
  member: string,
  { value, isList }: { value: string; isList: boolean },
  errors: FieldErrors,
): void {
  const key = `${list}.${index}`;
  if (!refuseUnknownMember(list, index, member, errors)) return;
  const before = members.get(member);
  if (isList && member !== "value") errors[`${key}.${member}`] = [`The ${member} is one text, not a list.`];
  else if (isList && Array.isArray(before)) before.push(value);
  else if (before !== undefined) errors[`${key}.${member}`] = [`The ${member} is given twice. Give it once.`];
  else members.set(member, isList ? [value] : value);
}

/** Notes an unknown member of an entry; true where it is known. */
function refuseUnknownMember(list: EntryList, index: number, member: string, errors: FieldErrors): boolean {
  const known: readonly string[] = ENTRY_MEMBERS[list];
  if (known.includes(member)) return true;
  const shown = shortenName(member);
  errors[`${list}.${index}.${shown}`] = [
    `${list}.${index} has no member ${shown}.${askWhetherMeant(member, known)} There are ${known.join(", ")}.`,
  ];
  return false;
}

const QUESTION = { kind: "member", taker: "question" };

function readJsonQuestion(text: string, errors: FieldErrors): RawQuestion {
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
