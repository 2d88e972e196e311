import { expect } from "vitest";
import type { Json, Reply } from "../../support/agent.ts";
import { WORDS_OF_REQUESTS } from "../../support/words-of-requests.ts";
import type { Outcome } from "./rpc.ts";

/** What must be the same of both: ids, names and hashes are each agent's own. */
export function normalise(value: unknown): Json {
  const text = JSON.stringify(value)
    .replace(/\/(uploads|preview)\/[\w-]{43,}/g, "/$1/SECRET")
    // What workers make of files is counted once it is made.
    .replace(/("usage":\{[^}]*"text_bytes":)\d+/g, (_, before) => `${before}0`)
    .replace(/twin-[0-9a-f]{8}/g, "HANDLE")
    .replace(/[0-7][0-9A-HJKMNP-TV-Z]{25}/g, "ULID");
  return JSON.parse(text);
}

export function outcomeOfRest({ status, json, headers }: Reply): Json {
  if (status < 400) return { status, ...json };
  const { code, message, errors, hint } = json;
  const retryAfter = headers["retry-after"];
  return {
    status,
    code,
    message,
    ...(status === 422 && { errors }),
    ...(hint !== null && { hint }),
    ...(retryAfter !== undefined && { retry_after: Number(retryAfter) }),
  };
}

export function outcomeOfTool({ json, structured, isError }: Outcome): Json {
  expect(isError).toBe(json.status >= 400);
  expect(structured).toBeUndefined();
  const { lock_version: _, untrusted: __, ...rest } = json;
  return rest;
}

/** The same refusal, each in the words of its caller: a tool has no header, no method and no address. */
export function expectSameRefusal(ofTool: Json, ofRest: Json): void {
  const [heard, said] = [listTexts(ofTool), listTexts(ofRest)];
  expect([...heard.keys()]).toEqual([...said.keys()]);
  for (const [name, text] of heard) {
    expect(text).not.toMatch(WORDS_OF_REQUESTS);
    const isReworded = /^There is no query|\bis required\b/.test(said.get(name) ?? "");
    if (!isReworded && !WORDS_OF_REQUESTS.test(said.get(name) ?? "")) expect(text).toBe(said.get(name));
  }
  const { status, code, retry_after } = ofRest;
  expect(ofTool).toMatchObject({ status, code, ...(retry_after !== undefined && { retry_after }) });
}

/** The same answer; of a check, the same problems, each in the words of its caller. */
export function expectSameAnswer(ofTool: Json, ofRest: Json): void {
  const [heard, said] = [ofTool, ofRest].map((answer) => answer.data?.problems ?? []);
  expect(heard).toHaveLength(said.length);
  for (const [at, problem] of said.entries()) expectSameRefusal(toRefusal(heard[at]), toRefusal(problem));
  expect(leaveOutWords(ofTool)).toEqual(leaveOutWords(ofRest));
}

/** A problem as the refusal that the call would meet. */
function toRefusal({ status, code, message, hint, field }: Json): Json {
  const told = hint === null ? {} : { hint };
  return field === null
    ? { status, code, message, ...told }
    : { status, code, errors: { [field]: [message] }, ...told };
}

function leaveOutWords(answer: Json): Json {
  if (answer.data?.problems === undefined) return answer;
  const problems = answer.data.problems.map(({ message: _, hint: __, ...rest }: Json) => rest);
  return { ...answer, data: { ...answer.data, problems } };
}

/** The texts of a refusal by their place. A message that repeats a field's sentence is as good as that. */
function listTexts({ code, message, hint, errors = {} }: Json): Map<string, string> {
  const entries = Object.entries(errors as Record<string, string[]>).flatMap(([field, sentences]) =>
    sentences.map((sentence, at) => [`${field}.${at}`, sentence] as const),
  );
  const told = code === "validation_failed" ? [] : [["message", message] as const];
  return new Map([...told, ...(hint === undefined ? [] : [["hint", hint] as const]), ...entries]);
}
