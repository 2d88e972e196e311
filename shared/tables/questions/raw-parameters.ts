import type { FieldErrors } from "../../ground/errors.ts";
import { findNameFaults } from "../../ground/nearest-name.ts";
import { ENTRY_LISTS, ENTRY_MEMBERS, type EntryList, SINGLE_MEMBERS, TEXT_LISTS } from "./question.ts";
import {
  addTo,
  type RawEntry,
  type RawQuestion,
  readJsonQuestion,
  refuseUnknownMember,
  startRaw,
} from "./raw-question.ts";

const LIST = /^(blank|columns|facet)(?:\[\d*\])?$/;
const ENTRY_NAME = /^(?:blank|filter|group|aggregate|having|sort)(?:\[|$)/;
const ENTRY = /^([a-z]+)\[(\d{1,9})\]\[([^[\]]*)\](\[\d*\])?$/;

/** Every parameter, as a refusal lists them. */
const PARAMETERS = [
  "question",
  ...SINGLE_MEMBERS,
  ...TEXT_LISTS.map((name) => `${name}[]`),
  ...ENTRY_LISTS.flatMap((list) => ENTRY_MEMBERS[list].map((member) => `${list}[n][${member}]`)),
];

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
  if (asksNoBlanks(query)) raw.texts.set("blank", []);
  return raw;
}

/** Whether a query says that nothing but cells without a text is blank. */
function asksNoBlanks(query: URLSearchParams): boolean {
  const named = [...query].filter(([name]) => name.split("[", 1)[0] === "blank");
  return named.length === 1 && query.get("blank") === "none";
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
