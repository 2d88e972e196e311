import type { IncomingHttpHeaders } from "node:http";
import { sha256 } from "../../shared/checksum.ts";
import { isCreationSlug, isHandle } from "../../shared/payload/parse.ts";
import type { PageSubject } from "../../shared/readers/page-cache.ts";

/** A public answer as it goes out, its bytes and their ETag made once. */
export interface CachedResponse {
  type: string;
  body: Buffer;
  /** With its quotes. */
  etag: string;
  lastModifiedMs?: number;
  /** Unlisted: opened by its address, never found. */
  noindex?: boolean;
}

/** A text, or its bytes, as a finished answer; its ETag is a hash of what is shown where it brings none. */
export function toResponse(answer: {
  type: string;
  body: string | Buffer;
  etag?: string;
  lastModifiedMs?: number;
  noindex?: boolean;
}): CachedResponse {
  const { type, lastModifiedMs, noindex } = answer;
  const body = typeof answer.body === "string" ? Buffer.from(answer.body) : answer.body;
  return {
    type,
    body,
    etag: `"${answer.etag ?? sha256(body).slice(0, 32)}"`,
    lastModifiedMs,
    noindex,
  };
}

/** A page of readers is asked for anew each time, cheaply by its ETag. */
export const PAGE_CACHING = { "cache-control": "no-cache" };

/** The headers by which a reader knows an answer again, and finders what to leave out. */
export function headersOf({ etag, noindex, lastModifiedMs }: CachedResponse): Record<string, string> {
  return {
    etag,
    ...(noindex ? { "x-robots-tag": "noindex" } : {}),
    ...(lastModifiedMs === undefined ? {} : { "last-modified": new Date(lastModifiedMs).toUTCString() }),
  };
}

/** If-None-Match decides where it is sent; If-Modified-Since only without it (RFC 9110, 13.1.3). */
export function isKnown(headers: IncomingHttpHeaders, etag: string, lastModifiedMs?: number): boolean {
  const known = headers["if-none-match"];
  if (known !== undefined) {
    return (
      known.trim() === "*" || known.split(",").some((entry) => entry.trim().replace(/^W\//, "") === etag)
    );
  }
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return lastModifiedMs !== undefined && since >= Math.floor(lastModifiedMs / 1000) * 1000;
}

/** The creation of an address; null where no creation can have it. */
export function creationOf({ handle = "", slug = "" }: Record<string, string>): PageSubject | null {
  return isHandle(handle) && isCreationSlug(slug) ? { kind: "creation", handle, slug } : null;
}

/** The agent of an address; null where no agent can have it. */
export function agentOf({ handle = "" }: Record<string, string>): PageSubject | null {
  return isHandle(handle) ? { kind: "agent", handle } : null;
}

/** What a kept answer is called: its route and parameters, so that other spellings of an address share it. */
export function nameResponse(route: string, params: Record<string, string>): string {
  let name = route;
  for (const key in params) name += `\n${params[key]}`;
  return name;
}
