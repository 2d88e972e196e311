import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { CountedRead } from "../../shared/reading/view-counts/read-counter.ts";
import type { PageSubject } from "../../sql/reading/page-versions.ts";
import { chooseForm, type Form } from "./choose-form.ts";
import { listCodings, packBody } from "./codings.ts";
import { type RouteContext, type RouteRequest, toRouteRequest } from "./context.ts";
import type { Bucket } from "./hooks/rate-limits.ts";
import { boundRendering } from "./hooks/time-limits.ts";
import {
  nameResponse,
  PAGE_CACHING,
  type PublicAnswer,
  readCached,
  respond,
  toResponse,
} from "./page-cache.ts";
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
  /** The page accepts any query; one with a subject depends on its variant alone. */
  handle(input: RouteRequest): Promise<PageAnswer>;
  /** The other forms that a request may ask for by its Accept header. */
  forms?: readonly PageForm[];
  /** Any site may frame the page. */
  isFramed?: boolean;
}

/** Another form of what a page shows; a page that lacks it answers null, and is sent as HTML. */
export interface PageForm extends Form {
  handle(input: Pick<RouteRequest, "context" | "params">): Promise<FormAnswer | null>;
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
  const { isFramed = false } = route;
  const config = { boundsItself: true, isFramed };
  app.get(route.url, { config }, async (request: FastifyRequest, reply: FastifyReply) => {
    const input = toRouteRequest(context, request, reply);
    const { params, query } = input;
    let status: PageAnswer["status"] = 200;
    if (route.bucket !== undefined) await countRequest(context, route.bucket, request, reply);
    const form = chooseForm(request.headers.accept, route.forms ?? []);
    const coding = form === null ? (listCodings(request.headers, ["gzip"])[0] ?? "identity") : "identity";
    if (form !== null) await admitFormRequest(context, request, reply);
    const render = async (onMissingPart: () => void) => {
      const own = { ...input, context: { ...context, onMissingPart } };
      const other = (await form?.handle(own)) ?? null;
      if (other !== null) return toResponse(withLocation(other), PAGE_CACHING);
      const { html, noindex, headers, read, status: given = 200 } = await route.handle(own);
      status = given;
      const packed = await packBody(Buffer.from(html), { "accept-encoding": coding });
      const vary = `${route.forms ? "Accept, " : ""}accept-encoding`;
      const answer = {
        ...packed,
        type: HTML,
        noindex,
        headers: { ...headers, ...packed.headers, vary },
        read,
      };
      return toResponse(answer, PAGE_CACHING);
    };
    const subject = route.subjectOf?.(params) ?? null;
    const variant = route.variantOf?.(query) ?? {};
    const asked: Record<string, string> =
      form === null ? { coding } : { form: form.type, profile: form.profile ?? "" };
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
