import type { z } from "zod";
import { validationFailed } from "../ground/errors.ts";
import { askWhetherMeant, shortenName } from "../ground/nearest-name.ts";
import { countCodePoints, countNoun } from "../ground/text.ts";

/** The outcome of reading a request: the value, or every problem under the name of its field. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; errors: Record<string, string[]> };

type Issue = z.core.$ZodIssue;

// The most unknown members that an error answer names; a hostile body has thousands.
const UNKNOWN_SHOWN = 20;

/** Problems by field, each listed once. */
export type Problems = Map<string, Set<string>>;

/** Adds one sentence to a field. */
export function addProblem(problems: Problems, field: string, sentence: string): void {
  const sentences = problems.get(field) ?? new Set();
  problems.set(field, sentences.add(sentence));
}

/** The outcome of reading: the value where it has no problems. */
export function conclude<T>(problems: Problems, value: T | null): Outcome<T> {
  if (problems.size === 0 && value !== null) return { ok: true, value };
  return {
    ok: false,
    errors: Object.fromEntries(Array.from(problems, ([field, said]) => [field, [...said]])),
  };
}

/** The value of a successful outcome; throws 422 with every problem otherwise. */
export function requireValue<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw validationFailed(outcome.errors);
  return outcome.value;
}

/** Turns a schema's issues into our own sentences, with `prefix` before every field's path. */
export function explainIssues(issues: readonly Issue[], prefix: readonly string[], problems: Problems): void {
  for (const issue of issues) {
    const path = [...prefix, ...issue.path.map(String)];
    const inside = findMeantForm(issue);
    if (inside !== null) explainIssues(inside, path, problems);
    else if (issue.code === "unrecognized_keys") refuseMembers(issue.keys, path, issue.message, problems);
    else addProblem(problems, path.join(".") || "body", sentenceFor(issue, nameOf(path)));
  }
}

/** Of a member that takes an object or a list of them: what is wrong inside of the one that was sent. */
function findMeantForm(issue: Issue): readonly Issue[] | null {
  if (issue.code !== "invalid_union" || typeof issue.input !== "object" || issue.input === null) return null;
  const isOther = ({ code, path }: Issue) => code === "invalid_type" && path.length === 0;
  return issue.errors.find((issues) => !issues.some(isOther)) ?? null;
}

/** Gives each known member of a small request one sentence: the first that its schema found. */
export function explainMembers(issues: readonly Issue[], problems: Problems): void {
  for (const issue of issues) {
    const field = issue.path.join(".");
    if (issue.code === "unrecognized_keys" || problems.has(field)) continue;
    addProblem(problems, field, sentenceFor(issue, `The ${field}`));
  }
}

/** Gives each unknown member of a small request one sentence. */
export function explainUnknownMembers(issues: readonly Issue[], problems: Problems): void {
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys")
      refuseMembers(issue.keys, issue.path.map(String), issue.message, problems);
  }
}

const NOT_KNOWN = "This member is not known here.";

/** Whether a sentence says of a member that nothing is known of it, and no more. */
export function saysUnknown(sentence: string): boolean {
  return sentence.startsWith("There is no ") || sentence.startsWith(NOT_KNOWN);
}

/** Reports unknown members, each under its own name, with the nearest of the known ones and with advice. */
export function refuseMembers(
  keys: readonly string[],
  path: readonly string[],
  advice: string,
  problems: Problems,
  known: readonly string[] = [],
) {
  for (const key of keys.slice(0, UNKNOWN_SHOWN)) {
    const field = [...path, shortenName(key)].join(".");
    addProblem(problems, field, `${NOT_KNOWN}${askWhetherMeant(key, known)} ${advice}`);
  }
  const hidden = keys.length - UNKNOWN_SHOWN;
  if (hidden > 0)
    addProblem(problems, path.join(".") || "body", `There are ${hidden} more unknown members. ${advice}`);
}

function nameOf(path: readonly string[]): string {
  const last = path.at(-1) ?? "body";
  return /^\d+$/.test(last) ? `Item ${Number(last) + 1} of ${path.at(-2)}` : `The ${last}`;
}

function sentenceFor(issue: Issue, name: string): string {
  // The schema words the end of a sentence; zod's own messages begin with a capital letter.
  if (/^[a-z]/.test(issue.message)) return `${name} ${issue.message}.`;
  switch (issue.code) {
    case "invalid_type":
      return typeSentence(issue, name);
    case "too_big":
      return tooBigSentence(issue, name);
    case "too_small":
      return tooSmallSentence(issue, name);
    case "invalid_value":
      return issue.input === undefined
        ? `${name} is required: one of ${issue.values.join(", ")}.`
        : `${name} must be one of ${issue.values.join(", ")}.${meantBy(issue.input, issue.values)}`;
    case "custom":
    case "invalid_union":
    case "invalid_format":
      return /^[A-Z]/.test(issue.message) ? issue.message : `${name} ${issue.message}.`;
    default:
      return `${name} is not valid.`;
  }
}

/** Only a text is misspelt; an object may have a toString that is none. */
function meantBy(input: unknown, values: readonly unknown[]): string {
  return typeof input === "string" ? askWhetherMeant(input, values.map(String)) : "";
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  int: "a whole number",
  number: "a whole number",
};

function typeSentence(issue: Issue & { code: "invalid_type" }, name: string): string {
  const list = issue.expected === "array" ? " list" : "";
  if (issue.input === undefined) return `${name}${list} is required.`;
  if (issue.input === null && issue.expected === "string") return `${name} is required.`;
  if (issue.expected === "array") return `${name} must be a list.`;
  if (issue.expected === "object") return `${name} must be an object. ${issue.message}`;
  // YAML reads 1.00 as a number, and then nobody knows how it was written.
  const isBare = issue.expected === "string" && ["number", "boolean"].includes(typeof issue.input);
  return `${name} must be ${TYPE_NAMES[issue.expected] ?? "of another type"}${isBare ? ", in quotes" : ""}.`;
}

function tooBigSentence(issue: Issue & { code: "too_big" }, name: string): string {
  const { input, maximum } = issue as { input?: unknown; maximum: number | bigint };
  if (typeof input === "string") {
    return `${name} is longer than ${maximum} characters (it has ${countCodePoints(input)}).`;
  }
  if (Array.isArray(input))
    return `${name} list has ${countNoun(input.length, "item")}; at most ${maximum} are allowed.`;
  return `${name} must be at most ${maximum}.`;
}

function tooSmallSentence(issue: Issue & { code: "too_small" }, name: string): string {
  const { input, minimum } = issue as { input?: unknown; minimum: number | bigint };
  if (typeof input === "string") return `${name} is required.`;
  if (Array.isArray(input)) {
    return `${name} list has ${countNoun(input.length, "item")}; it needs at least ${minimum}.`;
  }
  return `${name} must be at least ${minimum}.`;
}
