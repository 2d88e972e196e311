import type { FastifyInstance } from "fastify";
import type { Deps } from "../../shared/platform/deps.ts";
import { getOpenCreation } from "../../shared/reading/public-creation.ts";
import type { RouteContext, RouteRequest } from "../http/context.ts";
import { readOf } from "../http/counted-reads.ts";
import { creationOf, type PublicAnswer } from "../http/page-cache.ts";
import { addPublicRoute, type PublicRoute } from "../http/public-route.ts";
import type { RouteDocs } from "../http/route-docs.ts";

type Shared = Pick<PublicRoute, "bucket" | "cacheSeconds">;

/** A route without what its group says of it. */
type Wanted = Omit<PublicRoute, "url" | "tag" | keyof Shared> & Partial<Shared>;

/** What a route says of itself, and what of the query its answer depends on. */
type Described = Omit<RouteDocs, "tag"> & Pick<PublicRoute, "variantOf">;

/** Adds a public route at an address. */
export type AddPublicRoute = (url: string, route: Wanted) => void;

/** Adds public routes, which count as reads of public JSON and are fresh for a minute unless they say otherwise. */
export function openPublicRoutes(
  app: FastifyInstance,
  context: RouteContext,
  shared: Shared = { bucket: "public_json", cacheSeconds: 60 },
): AddPublicRoute {
  return (url, route) => addPublicRoute(app, context, { url, tag: "Public", ...shared, ...route });
}

/** The docs of an answer of another type than JSON. */
export function answersAs(type: string, summary: string): Described {
  return { summary, answers: { 200: null }, mediaTypes: [type] };
}

/** The folders of a work's charts: of its live revision, and of each published one. */
export const CHART_FOLDERS = ["/@:handle/:slug/charts", "/@:handle/:slug/revisions/:number/charts"];

/** The addresses of a document of a work: of any, and of the work whose slug is `section`, as no section has this name. */
export function addressesBelowWork(name: string): string[] {
  return [`/@:handle/:slug/${name}`, `/@:handle/section/${name}`];
}

/** The same, and the address of the document as of a published revision. */
export function addressesOfDocument(name: string): string[] {
  return [...addressesBelowWork(name), `/@:handle/:slug/revisions/:number/${name}`];
}

/**
 * Adds a document of a work at its addresses. What it shows of the work, its agent and its owner has the version of the
 * work's page.
 */
export function addDocument(
  add: AddPublicRoute,
  urls: readonly string[],
  describe: (isOfRevision: boolean) => Described,
  write: (
    input: RouteRequest,
    creation: OpenCreation,
    revision: string | null,
  ) => Promise<Omit<PublicAnswer, "noindex">>,
): void {
  for (const url of urls) {
    add(url, {
      ...describe(url.includes(":number")),
      subjectOf: (params) => creationOf(readWork(params)),
      async handle(input) {
        const { creation, about } = await openWork(input.deps, input.params, null);
        return { ...(await write(input, creation, input.params.number ?? null)), ...about };
      },
    });
  }
}

type OpenCreation = Awaited<ReturnType<typeof getOpenCreation>>;

/** The work that the parameters of such an address name. */
export function readWork({ handle = "", slug = "section" }: Record<string, string>) {
  return { handle, slug };
}

/** Opens the work of an address, with what each answer about it says; a form of null counts no read. */
export async function openWork(
  deps: Deps,
  params: Record<string, string>,
  form: Parameters<typeof readOf>[1] | null,
) {
  const { handle, slug } = readWork(params);
  const creation = await getOpenCreation(deps, handle, slug);
  const read = form === null ? undefined : readOf(creation, form);
  return { creation, about: { noindex: creation.visibility === "unlisted", read } };
}
