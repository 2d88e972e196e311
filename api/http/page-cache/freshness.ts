import type { IncomingHttpHeaders } from "node:http";
import fresh from "fresh";

/**
 * Whether a reader already has what these response headers describe, so that 304 answers (RFC 9110, 13.2.2). `fresh`
 * gets the two conditions only, and differs from the RFC otherwise: it sends everything again on `Cache-Control:
 * no-cache`, falls back to If-Modified-Since on an empty If-None-Match, and takes no tab for white space in a list.
 */
export function isFresh(asked: IncomingHttpHeaders, response: Readonly<Record<string, string>>): boolean {
  const known = asked["if-none-match"];
  // As browsers and caches send it: one tag, as it came.
  if (known !== undefined && known === response.etag) return true;
  if (known !== undefined) return fresh({ "if-none-match": known.replaceAll("\t", " ") }, response);
  return fresh({ "if-modified-since": asked["if-modified-since"] }, response);
}
