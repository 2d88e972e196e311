import { sha256 } from "../../shared/checksum.ts";

/** What a public route answers with. */
export interface PublicAnswer {
  type: string;
  body: string | Buffer;
  /** A hash of what is shown; made from the body where it is left out. */
  etag?: string;
  lastModifiedMs?: number;
  /** Unlisted: opened by its address, never found. */
  noindex?: boolean;
}

/** A public response as it goes out: its bytes and its headers are put together once. */
export interface CachedResponse {
  body: Buffer;
  /** By status; those of every answer (the request's id, security) are not among them. */
  headers: Readonly<Record<200 | 304, Readonly<Record<string, string>>>>;
}

/** A browser asks for a page of readers anew each time, cheaply by its ETag. */
export const PAGE_CACHING = "no-cache";

/** Puts the bytes and the headers of an answer together. */
export function toResponse(answer: PublicAnswer, cacheControl: string): CachedResponse {
  const { type, lastModifiedMs, noindex } = answer;
  const body = typeof answer.body === "string" ? Buffer.from(answer.body) : answer.body;
  const known = {
    "cache-control": cacheControl,
    etag: `"${answer.etag ?? sha256(body).slice(0, 32)}"`,
    ...(noindex ? { "x-robots-tag": "noindex" } : {}),
    ...(lastModifiedMs === undefined ? {} : { "last-modified": new Date(lastModifiedMs).toUTCString() }),
  };
  const bytes = String(body.byteLength);
  return { body, headers: { 200: { ...known, "content-type": type, "content-length": bytes }, 304: known } };
}
