import { QUESTION_MEMBERS } from "../../../shared/core/query/question.ts";
import type { FieldErrors } from "../../../shared/errors.ts";
import { MOST_QUERY_CHARACTERS } from "../../http/query.ts";
import type { Arguments, Rewritten } from "../tool.ts";
import { isGiven, readBytes, readMediaAddress } from "./rewrites.ts";

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
  const asset = isGiven(asset_id)
    ? asset_id
    : readMediaAddress("query_url", "query", query_url, siteUrl, problems);
  const bytes = readBytes(max_bytes, QUERY_BYTES, problems);
  const given = QUESTION_MEMBERS.filter((name) => isGiven(rest[name]));
  const question = { limit: QUERY_LIMIT, ...Object.fromEntries(given.map((name) => [name, rest[name]])) };
  const text = JSON.stringify(question);
  if (countEncoded(text) > MOST_QUESTION_CHARACTERS) {
    const [longest = "filter"] = given.toSorted((one, other) => lengthOf(rest[other]) - lengthOf(rest[one]));
    problems[longest] = [
      `The argument ${longest} is too long: percent-encoded, the arguments may have ${MOST_QUERY_CHARACTERS} characters together. Ask for less in one call.`,
    ];
  }
  return { args: { asset_id: asset, question: text }, problems, prefer: `max-bytes=${bytes}` };
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
