import type { FastifyInstance } from "fastify";
import { refuseFaults } from "../../../shared/ground/errors.ts";
import { MOST_PER_PAGE, readPageQuery } from "../../../shared/ground/pagination.ts";
import { stringifyJson } from "../../../shared/ground/raw-json.ts";
import { API_ROOT } from "../../http/agent-route.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { addPageRoute } from "../../http/page-route.ts";
import { allowOtherOrigins, allowPreflight, publicJson, sendPublic } from "../../http/public-route.ts";
import { findQueryFaults, readChoice, readSummaryWish } from "../../http/query.ts";
import {
  openDocsPages,
  openText,
  writeLlmsFullText,
  writeLlmsText,
} from "../../openapi/documentation/docs-pages.ts";
import {
  AUDIENCES,
  type DocsPage,
  findDocsPage,
  presentDocsIndex,
  presentDocsPage,
} from "../../openapi/documentation/pages.ts";
import { describeSkills, openSkill } from "../../openapi/documentation/skill.ts";
import { DocsPage as DocsBody, DocsList, DocsListQuery, DocsQuery } from "../../openapi/schemas.ts";
import { siteView } from "../../pages/parts/layout.ts";
import { showSiteCard } from "../../pages/site/artwork.ts";
import { INDEX_LEAD, renderDocsIndexPage, renderDocsPage } from "../../pages/site/docs-page.ts";
import { answersAs, openPublicRoutes } from "../open-public-routes.ts";

const CACHE_SECONDS = 60;
const MARKDOWN = "text/markdown; charset=utf-8";
/** Where installers look for skills by the name of a site alone. */
const SKILLS_INDEX = "/.well-known/agent-skills/index.json";

/** The documentation as JSON, as Markdown and as pages, and the texts by which agents find their way in. */
export const addDocsRoutes: RouteGroup = (app, context) => {
  const { config } = context.deps;
  const pages = openDocsPages(config);
  addDocsJson(app, context, pages);
  addDocsWebPages(app, context, pages);
  addMarkdown(app, context, pages);
  const texts = {
    "/llms.txt": writeLlmsText(config, pages),
    "/llms-full.txt": writeLlmsFullText(config, pages),
    "/robots.txt": openText("robots.txt", config),
  };
  for (const [url, body] of Object.entries(texts)) {
    app.get(url, async (request, reply) => {
      return sendPublic(request, reply, { type: "text/plain; charset=utf-8", body }, CACHE_SECONDS);
    });
  }
};

function addDocsJson(app: FastifyInstance, context: RouteContext, pages: DocsPage[]): void {
  const { siteUrl } = context.deps.config;
  const add = openPublicRoutes(app, context);
  add(`${API_ROOT}/docs`, {
    summary: "The pages of the documentation",
    query: DocsListQuery,
    answers: { 200: DocsList },
    codes: ["validation_failed"],
    async handle({ request }) {
      const query = request.query as Record<string, unknown>;
      const faults = findQueryFaults(query, DocsListQuery);
      const audience = readChoice(query, "audience", AUDIENCES, faults);
      const isShort = readSummaryWish(query, faults);
      const part = readPageQuery(query, faults, MOST_PER_PAGE);
      refuseFaults(faults);
      const body = stringifyJson(presentDocsIndex(siteUrl, pages, { audience, isShort, part, query }));
      return { type: "application/json; charset=utf-8", body };
    },
  });
  add(`${API_ROOT}/docs/:page`, {
    summary: "One page of the documentation, or one section of it",
    query: DocsQuery,
    answers: { 200: DocsBody },
    codes: ["validation_failed"],
    async handle({ params, request }) {
      const page = findDocsPage(pages, params.page ?? "");
      refuseFaults(findQueryFaults(request.query, DocsQuery));
      return publicJson(presentDocsPage(siteUrl, page, readSection(request.query)));
    },
  });
}

/** An empty section is one left out. */
function readSection(query: unknown): string | null {
  const { section } = query as { section?: string };
  return section === undefined || section === "" ? null : section;
}

function addDocsWebPages(app: FastifyInstance, context: RouteContext, pages: DocsPage[]): void {
  addPageRoute(app, context, {
    url: "/docs",
    async handle({ context: { deps } }) {
      const image = await showSiteCard(deps, { type: "docs", place: "docs", title: INDEX_LEAD });
      return { html: renderDocsIndexPage({ site: siteView(deps), pages, image }) };
    },
  });
  // A page of earlier versions that is no documentation any more: its links lead here for one version.
  app.get("/docs/decisions", async (_request, reply) => {
    return reply.header("cache-control", "no-cache").redirect("/docs", 301);
  });
  addPageRoute(app, context, {
    url: "/docs/:page",
    async handle({ context: { deps }, params }) {
      const page = findDocsPage(pages, params.page ?? "");
      const { slug, title } = page;
      const image = await showSiteCard(deps, { type: "docs", place: `docs/${slug}`, title });
      return { html: renderDocsPage({ site: siteView(deps), page, pages, image }) };
    },
  });
}

function addMarkdown(app: FastifyInstance, context: RouteContext, pages: DocsPage[]): void {
  const { config } = context.deps;
  const skill = openSkill(config).text;
  const add = openPublicRoutes(app, context);
  add("/docs/:page.md", {
    ...answersAs("text/markdown", "One page of the documentation as Markdown"),
    handle: async ({ params }) => ({
      type: MARKDOWN,
      body: findDocsPage(pages, params.page ?? "").markdown,
    }),
  });
  add("/skill.md", {
    ...answersAs("text/markdown", "Instructions for agents as an Agent Skill"),
    handle: async () => ({ type: MARKDOWN, body: skill }),
  });
  const index = {
    type: "application/json; charset=utf-8",
    body: JSON.stringify(describeSkills(config)),
  };
  app.get(SKILLS_INDEX, async (request, reply) => {
    allowOtherOrigins(reply);
    return sendPublic(request, reply, index, CACHE_SECONDS);
  });
  allowPreflight(app, SKILLS_INDEX);
}
