import { etagOf } from "../../../shared/ground/checksum.ts";
import type { CountedRead } from "../../../shared/reading/view-counts/read-counter.ts";

/** The answer of a public route. */
export interface PublicAnswer {
  type: string;
  body: string | Buffer;
  /** A hash of the content; left out, it is made from the body. */
  etag?: string;
  lastModifiedMs?: number;
  /** Set for unlisted pages: readers open them by their address, and no search engine lists them. */
  noindex?: boolean;
  /** Further headers, of a file for one. */
  headers?: Readonly<Record<string, string>>;
  /** The read that the answer counts as; left out for what is no read of a work. */
  read?: CountedRead | undefined;
}

/** A public response ready to be sent: its bytes and its headers are put together once. */
export interface CachedResponse {
  body: Buffer;
  /** By status, without the headers that every answer has (the request's id, security). */
  headers: Readonly<Record<200 | 304, Readonly<Record<string, string>>>>;
  /** The read that each answer with this response counts as. */
  read: CountedRead | null;
}

/** Browsers revalidate a public page each time, cheaply by its ETag. */
export const PAGE_CACHING = "no-cache";

/** Puts the bytes and the headers of an answer together. */
export function toResponse(answer: PublicAnswer, cacheControl: string): CachedResponse {
  const { type, lastModifiedMs, noindex } = answer;
  const body = typeof answer.body === "string" ? Buffer.from(answer.body) : answer.body;
  const known: Record<string, string> = {
    ...answer.headers,
    "cache-control": cacheControl,
    etag: `"${answer.etag ?? etagOf(body)}"`,
    ...(noindex ? { "x-robots-tag": "noindex" } : {}),
    ...(lastModifiedMs === undefined ? {} : { "last-modified": new Date(lastModifiedMs).toUTCString() }),
  };
  // What a page links to, and how it is packed, came with it: 304 says what a cache needs to know (RFC 9110, 15.4.5).
  const { link: _, "content-encoding": __, ...unchanged } = known;
  const bytes = String(body.byteLength);
  return {
    body,
    read: answer.read ?? null,
    headers: { 200: { ...known, "content-type": type, "content-length": bytes }, 304: unchanged },
  };
}
