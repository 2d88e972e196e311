import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { CountedRead } from "../../shared/reading/view-counts/read-counter.ts";
import type { PageSubject } from "../../sql/reading/page-versions.ts";
import { chooseForm, type Form } from "./choose-form.ts";
import type { RouteContext } from "./context.ts";
import type { Bucket } from "./hooks/rate-limits.ts";
import { boundRendering } from "./hooks/time-limits.ts";
import { readCached } from "./page-cache/read-cached.ts";
import { respond } from "./page-cache/respond.ts";
import { PAGE_CACHING, type PublicAnswer, toResponse } from "./page-cache/response.ts";
import { nameResponse } from "./page-cache/subjects.ts";
import { allowOtherOrigins, countPublicRequest, countRequest } from "./public-route.ts";

/** A public page: no token and no cookie; browsers revalidate it each time by its ETag. */
export interface PageRoute {
  url: string;
  /** What its requests count towards; left out for a page that takes little work, which has no limit. */
  bucket?: Bucket;
  /** The page's subject: it is rendered once per version of that; left out, for each request. */
  subjectOf?(params: Record<string, string>): PageSubject | null;
  /** What of the query the page depends on; a page with a subject is cached for each such variant. */
  variantOf?(query: Record<string, unknown>): Record<string, string>;
  handle(input: PageRequest): Promise<PageAnswer>;
  /** The other forms that a request may ask for by its Accept header. */
  forms?: readonly PageForm[];
}

interface PageRequest {
  context: RouteContext;
  params: Record<string, string>;
  /** The query; the page accepts any. A page with a subject depends on its variant alone. */
  query: Record<string, unknown>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Another form of what a page shows; a page that lacks it answers null, and is sent as HTML. */
export interface PageForm extends Form {
  handle(input: Pick<PageRequest, "context" | "params">): Promise<FormAnswer | null>;
}

/** A form of a page with the address that has it alone. */
export type FormAnswer = Pick<PublicAnswer, "type" | "body" | "noindex" | "headers" | "read"> & {
  location: string;
};

/** A rendered page. Only a page without a subject may have a status other than 200: no cache holds such an answer. */
interface PageAnswer {
  html: string;
  noindex?: boolean;
  status?: 200 | 409 | 422;
  headers?: Readonly<Record<string, string>>;
  /** The read that the page counts as; left out for a page that is not of one work. */
  read?: CountedRead;
}

/** Registers a page of the public site. */
export function addPageRoute(app: FastifyInstance, context: RouteContext, route: PageRoute): void {
  const config = { boundsItself: true };
  app.get(route.url, { config }, async (request: FastifyRequest, reply: FastifyReply) => {
    const params = request.params as Record<string, string>;
    let status: PageAnswer["status"] = 200;
    if (route.bucket !== undefined) await countRequest(context, route.bucket, request, reply);
    const form = chooseForm(request.headers.accept, route.forms ?? []);
    if (form !== null) await admitFormRequest(context, request, reply);
    const render = async (onMissingPart: () => void) => {
      const query = request.query as Record<string, unknown>;
      const own = { ...context, onMissingPart };
      const input = { context: own, params, query, request, reply };
      const other = (await form?.handle(input)) ?? null;
      if (other !== null) return toResponse(withLocation(other), PAGE_CACHING);
      const { html, noindex, headers, read, status: given = 200 } = await route.handle(input);
      status = given;
      const vary: Record<string, string> = route.forms ? { vary: "Accept" } : {};
      const answer = { type: HTML, body: html, noindex, headers: { ...vary, ...headers }, read };
      return toResponse(answer, PAGE_CACHING);
    };
    const subject = route.subjectOf?.(params) ?? null;
    const variant = route.variantOf?.(request.query as Record<string, unknown>) ?? {};
    const asked: Record<string, string> =
      form === null ? {} : { form: form.type, profile: form.profile ?? "" };
    const name = nameResponse(route.url, { ...params, ...variant, ...asked });
    const renderInTime = (onMissingPart: () => void) => boundRendering(render(onMissingPart));
    const response = await readCached(context.pageCache, subject, name, renderInTime);
    if (status === 200) return respond(request, reply, response);
    return reply
      .status(status)
      .headers({ ...response.headers[200], "cache-control": "no-store" })
      .send(response.body);
  });
}

// A form costs what the address costs that has it alone, and any program may read it.
async function admitFormRequest(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  allowOtherOrigins(reply);
  await countPublicRequest(context, "public_json", { agentId: null, address: request.ip }, reply);
}

function withLocation({ location, ...answer }: FormAnswer): PublicAnswer {
  return { ...answer, headers: { ...answer.headers, "content-location": location, vary: "Accept" } };
}

export const HTML = "text/html; charset=utf-8";
