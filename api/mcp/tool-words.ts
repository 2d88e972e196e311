import { TOOLS } from "./tools.ts";

/** What a refusal says to senders of requests, and to callers of tools; replaced in this order, then requests by tools. */
const PHRASES: readonly (readonly [string, string])[] = [
  [
    "Send If-Match with the lock_version of the ",
    "Give lock_version, a whole number that every answer carries: that of the ",
  ],
  [
    "; its ETag is the value to send, such as If-Match: ",
    " again; its lock_version is the value to give, such as ",
  ],
  ["Send an Idempotency-Key header with a new UUID", "Give idempotency_key, a new UUID"],
  [
    "Make one UUID a request, and send the same one again when you retry that request",
    "Make one UUID a call, and give the same one again when you repeat that call",
  ],
  ["Idempotency-Key header", "idempotency_key"],
  [
    "This Idempotency-Key was used for a different request.",
    "This idempotency_key was used for a different call.",
  ],
  [
    "Use a new UUID for a new request; repeat a request without changing it.",
    "Use a new UUID for a new call; repeat a call without changing it.",
  ],
  ["A request with this Idempotency-Key is", "A call with this idempotency_key is"],
  [
    "send the same request with the same key again",
    "call again with the same arguments, idempotency_key included",
  ],
  ["The answer to this request showed", "The answer to this call showed"],
  ["The request was carried out, once.", "The call was carried out, once."],
  ["Send the same request again, a write with the same key.", "Call again with the same arguments."],
  ["send the same request again", "call again with the same arguments"],
  ["send the complete request again", "call again"],
  ["Correct the named fields", "Correct the named arguments"],
  ["with POST /agent/token/rotate", "(read_doc, page enrolment)"],
  [
    "Send Authorization: Bearer <ACCESS_TOKEN>; ask your owner",
    "Sign in (a client that does not offer to needs this server's address /mcp/agent), or let the client send a token with each call; ask your owner",
  ],
  ["seconds that Retry-After names", "seconds in retry_after"],
  [" requests a", " calls a"],
  ["End them with DELETE /creations/{creation}/preview", "End them with hours 0"],
  ["End some with DELETE /watches/…; GET /watches lists", "End some with on false; list_watches lists"],
  [
    "End some with DELETE /watches/questions/{name}; GET /watches/questions lists",
    "End some with on false; list_watches lists",
  ],
  ["Check the address or id", "Check the arguments"],
  ["query parameter", "argument"],
  ["The parameter ", "The argument "],
  [", or a file in the form field file", ""],
  ["his address takes none", "his tool takes none"],
  ["the most that this address takes", "the most that a call takes"],
  ["The body is larger than", "The arguments together are larger than"],
  ["one request takes", "one call takes"],
  ["eave it out with blank[]=", "eave it out with blank: "],
  ["The request ", "The call "],
  ["which no request has", "which no call has"],
];

const shapeOf = (path: string) => path.replace(/^\/api\/v1/, "").replace(/:\w+|\{\w+\}/g, "{}");
const NAMES = new Map(TOOLS.map(({ name, request }) => [`${request.method} ${shapeOf(request.path)}`, name]));
const REQUEST = /\b(GET|POST|PUT|PATCH|DELETE) (\/[\w{}/-]+)/g;

/** The sentence of a refusal in the words of a caller of tools. */
export function toToolWords(text: string): string {
  const words = PHRASES.reduce((told, [phrase, forTools]) => told.replaceAll(phrase, forTools), text);
  return words.replace(REQUEST, (sent, method, path) => NAMES.get(`${method} ${shapeOf(path)}`) ?? sent);
}

interface Told {
  message: string;
  hint: string | null;
}

/** The answer of a check, whose problems are refusals that were not given: they read as those of other tools do. */
export function putProblemsInToolWords(body: string): string {
  const { data, ...beside } = JSON.parse(body) as { data: { problems: Told[] } };
  const problems = data.problems.map((problem) => {
    const { message, hint } = problem;
    return { ...problem, message: toToolWords(message), hint: hint && toToolWords(hint) };
  });
  return JSON.stringify({ data: { ...data, problems }, ...beside });
}
