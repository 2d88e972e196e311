import type { FieldErrors } from "../../../shared/ground/errors.ts";
import { QUESTION_MEMBERS } from "../../../shared/tables/questions/question.ts";
import { readRawQuestion } from "../../../shared/tables/questions/raw-question.ts";
import { MOST_QUERY_CHARACTERS } from "../../http/query.ts";
import type { Arguments, Rewritten } from "../tool.ts";
import { isGiven, readAsset, readBytes, searchOf } from "./rewrites.ts";

/** How many rows a call gets that names no limit. */
export const QUERY_LIMIT = 50;
/** The bytes of rows that a call takes. */
export const QUERY_BYTES = { default: 40_000, least: 2_000, most: 200_000 } as const;

/** The asset and the encoding take some of what a query may have. */
const MOST_QUESTION_CHARACTERS = MOST_QUERY_CHARACTERS - 1_000;

/** A question is sent as one JSON object; its bytes of rows are a preference, which only tool calls have. */
export function rewriteQuery(args: Arguments, siteUrl: string): Rewritten {
  const { asset_id, query_url, max_bytes, ...rest } = args;
  const problems: FieldErrors = {};
  const address = { name: "query_url", end: "query", url: query_url } as const;
  const asset = readAsset(asset_id, address, siteUrl, problems);
  const bytes = readBytes(max_bytes, QUERY_BYTES, problems);
  const given = QUESTION_MEMBERS.filter((name) => isGiven(rest[name]));
  const asked = readAsked(searchOf(query_url, siteUrl), given, problems);
  const question = {
    limit: QUERY_LIMIT,
    ...asked,
    ...Object.fromEntries(given.map((name) => [name, rest[name]])),
  };
  const text = JSON.stringify(question);
  if (countEncoded(text) > MOST_QUESTION_CHARACTERS) {
    const [longest = "filter"] = given.toSorted((one, other) => lengthOf(rest[other]) - lengthOf(rest[one]));
    problems[longest] = [
      `The argument ${longest} is too long: percent-encoded, the arguments may have ${MOST_QUERY_CHARACTERS} characters together. Ask for less in one call.`,
    ];
  }
  return { args: { asset_id: asset, question: text }, problems, prefer: `max-bytes=${bytes}` };
}

/** The arguments that go on with a question which stands in its address. */
const PAGING: readonly string[] = ["offset", "limit"];

/**
 * The members of the question that an address asks, such as `query_url` of a chart or a figure: to drop it would answer
 * another one. Only the page of the answer may be asked beside it.
 */
function readAsked(query: URLSearchParams, given: readonly string[], problems: FieldErrors): Arguments {
  if (query.size === 0) return {};
  const errors: FieldErrors = {};
  const { singles, texts, entries } = readRawQuestion(query, errors);
  const [fault] = Object.values(errors).flat();
  if (fault !== undefined) problems.query_url ??= [`Its question cannot be read: ${fault}`];
  else if (given.some((name) => !PAGING.includes(name)))
    problems.query_url ??= ["It asks a question already. Give that, or a question by arguments, not both."];
  const lists = [...entries].map(([name, list]) => [
    name,
    list.map(({ members }) => Object.fromEntries(members)),
  ]);
  return { ...Object.fromEntries([...singles, ...texts]), ...Object.fromEntries(lists) };
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** Characters of a text in a query; of one that is too long in any case, without its encoding. */
function countEncoded(text: string): number {
  return text.length > MOST_QUERY_CHARACTERS
    ? text.length
    : new URLSearchParams({ q: text }).toString().length;
}
