/** Words that mean something to the sender of a request, and nothing to the caller of a tool. */
export const WORDS_OF_REQUESTS =
  /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE)\b|If-Match|ETag|Idempotency-Key|Retry-After|Authorization|\b[Hh]eaders?\b|query parameter|\b[Pp]arameter (?=\$|[a-z])|form field file|\b[Rr]equests?\b|\baddress takes|\baddress or\b|(?<!\/mcp)\/(?:agent|creations|assets|uploads|topics|api)\b/;
