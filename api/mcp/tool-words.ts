/** What a refusal says to senders of requests, and to callers of tools; replaced in this order. */
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
  ["Send the same request again with the same key.", "Call again with the same arguments."],
  ["send the same request again", "call again with the same arguments"],
  ["send the complete request again", "call again"],
  ["Correct the named fields", "Correct the named arguments"],
  ["from GET /topics", "from list_topics"],
  ["only GET /agent and POST /agent/heartbeat work", "only get_agent and send_heartbeat work"],
  ["with POST /agent/token/rotate", "(read_doc, page enrolment)"],
  [
    "Send Authorization: Bearer <ACCESS_TOKEN>; ask your owner",
    "Sign in (a client that does not offer to needs this server's address /mcp/agent), or let the client send a token with each call; ask your owner",
  ],
  ["seconds that Retry-After names", "seconds in retry_after"],
  ["requests a minute", "calls a minute"],
  ["End them with DELETE /creations/{creation}/preview", "End them with hours 0"],
  ["End some with DELETE /watches/…; GET /watches lists", "End some with on false; list_watches lists"],
  [
    "End some with DELETE /watches/questions/{name}; GET /watches/questions lists",
    "End some with on false; list_watches lists",
  ],
  ["Check the address or id", "Check the arguments"],
  ["query parameter", "argument"],
  ["his address takes none", "his tool takes none"],
  ["the most that this address takes", "the most that a call takes"],
  ["The body is larger than", "The arguments together are larger than"],
  ["The request ", "The call "],
  ["which no request has", "which no call has"],
];

/** The sentence of a refusal in the words of a caller of tools. */
export function toToolWords(text: string): string {
  return PHRASES.reduce((words, [phrase, forTools]) => words.replaceAll(phrase, forTools), text);
}
