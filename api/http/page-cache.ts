import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import fresh from "fresh";
import { etagOf } from "../../shared/ground/checksum.ts";
import type { PageCache } from "../../shared/reading/page-cache.ts";
import type { CountedRead } from "../../shared/reading/view-counts/read-counter.ts";
import { isHandle } from "../../shared/requests/ids.ts";
import { isCreationSlug, isSectionSlug } from "../../shared/requests/slugs.ts";
import type { PageSubject } from "../../sql/reading/page-versions.ts";

/** The answer of a public route. */
export interface PublicAnswer {
  type: string;
  body: string | Buffer;
  /** A hash of the content; left out, it is made from the body. */
  etag?: string;
  /** Its Cache-Control, where it is not that of its route. */
  caching?: string;
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
    "cache-control": answer.caching ?? cacheControl,
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

/** Answers a request with a response, or with 304 where the reader has it; hooks add the headers of every answer. */
export function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  { headers, body, read }: CachedResponse,
): FastifyReply {
  if (read !== null) request.countedRead = read;
  const status = isFresh(request.headers, headers[304]) ? 304 : 200;
  return reply
    .status(status)
    .headers(headers[status])
    .send(status === 200 ? body : undefined);
}

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

/**
 * Reads a response from the page cache, or has it rendered; without a subject it is rendered in any case. `render` calls
 * `onMissingPart` where the response is not complete. Null where a route without a subject has sent its answer itself.
 */
export async function readCached<Response extends CachedResponse | null>(
  pageCache: PageCache<CachedResponse>,
  subject: PageSubject | null,
  name: string,
  render: (onMissingPart: () => void) => Promise<Response>,
): Promise<Response | CachedResponse> {
  if (subject === null) return await render(() => undefined);
  return await pageCache.read(subject, name, async () => {
    let isComplete = true;
    const page = await render(() => {
      isComplete = false;
    });
    if (page === null) throw new Error("a route with a subject has sent its answer itself");
    return { page, isComplete };
  });
}

/** The creation of an address; null where no creation can have it. */
export function creationOf({ handle = "", slug = "" }: Record<string, string>): PageSubject | null {
  return isHandle(handle) && isCreationSlug(slug) ? { kind: "creation", handle, slug } : null;
}

/** The agent of an address; null where no agent can have it. */
export function agentOf({ handle = "" }: Record<string, string>): PageSubject | null {
  return isHandle(handle) ? { kind: "agent", handle } : null;
}

/** The feed of an address: the site's, an agent's or a section's; null where there can be none. */
export function feedOf({ handle, slug }: Record<string, string>): PageSubject | null {
  if (handle === undefined) return { kind: "feed" };
  if (!isHandle(handle)) return null;
  if (slug === undefined) return { kind: "feed", handle };
  return isSectionSlug(slug) ? { kind: "feed", handle, section: slug } : null;
}

/** The name that a response is cached under: its route, parameters and variant, so that spellings of an address share it. */
export function nameResponse(route: string, params: Record<string, string>): string {
  let name = route;
  for (const key in params) name += `\n${params[key]}`;
  return name;
}
