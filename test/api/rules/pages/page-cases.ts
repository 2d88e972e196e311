import diagnostics from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { DOCS_SLUGS } from "../../../../api/openapi/documentation/docs-pages.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { invite } from "../../../../shared/identity/sign-in/invitations.ts";
import type { SignedIn } from "../../../../shared/identity/sign-in/sessions.ts";
import { makeSignInLink } from "../../../../shared/identity/sign-in/sign-in-links.ts";
import { findOwnerById } from "../../../../sql/identity/owners.ts";
import { makeCode, makeCreation, request } from "../../../support/agent.ts";
import { askConsent, registerTestClient } from "../../../support/oauth.ts";
import { fillRichSite, type RichSite } from "../../../support/rich-site.ts";
import type { TestService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

/** A page to look at: its path, whether a signed-in owner looks, and whether its like was walked already. */
export interface PageCase {
  route: string;
  path: string;
  signedIn: boolean;
  isLikeAnother: boolean;
}

/**
 * What answers no page: data, redirects, feeds, files, drawings, citations, texts and the service's own state. Moderators' pages are nothing
 * to the owner who looks here; the console's own test in a browser opens them.
 */
const NOT_PAGES =
  /^\/(?:api\/|oembed$|docs\/decisions$|id\/|mcp\b|media\/|art\/|log\/|\.well-known\/|healthz$|readyz$|metrics$|console\/moderation\b)|\.(?:json|xml|md|txt|css|js|svg|png|woff2|csv|ndjson|jsonl|parquet|bib|ris|cff|tlog-proof|tgz)$|\/files\/:asset$|^\/preview\/:preview\/files\/|^\/console\/exports\/:id$/;

/** Notes every route that an app registers from now on; `stop` ends it. */
export function watchRoutes(): { pages: string[]; stop(): void } {
  const pages: string[] = [];
  const watch = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", ({ method, url }) => {
      if ([method].flat().includes("GET") && !NOT_PAGES.test(url)) pages.push(url);
    });
  };
  diagnostics.subscribe("fastify.initialization", watch);
  return { pages, stop: () => void diagnostics.unsubscribe("fastify.initialization", watch) };
}

/** A filled site with its owner, who has a link to sign in and one to claim a waiting agent. */
export async function fillPages(service: TestService) {
  const site = await fillRichSite(service);
  const { ownerId } = site.rainwatch;
  const [{ email }] = await runSql(service, "SELECT email FROM owners WHERE id = $1", [ownerId]);
  await insertReads(service, [site.works.demo.id, site.works.dataset.id]);
  const who = { owner: await findOwnerById(service.deps.pool, ownerId), sessionId: "" } as SignedIn;
  const invited = await invite(service.deps, who, "mara@example.net", "by-hand");
  await invite(
    service.deps,
    who,
    "the-longest-name-of-a-mailbox-that-fits@departments.example.net",
    "by-hand",
  );
  const draft = await makeCreation(site.rainwatch, {
    payload: { title: "Rain to come", body_markdown: "## Soon\n\nIt will **rain**.\n" },
  });
  const shared = await site.rainwatch.send("POST", `/creations/${draft.id}/preview`, {});
  const link = async () => (await makeSignInLink(service.deps, COMMAND_LINE, email)).url;
  const body = { enrollment_code: await makeCode(service, ownerId), handle: "waiting", display_name: "W" };
  const webhookIds = await insertWebhooks(service, ownerId);
  const redirects = {
    hosted: "https://program.example.org/callback",
    local: "http://127.0.0.1:4711/callback",
  };
  const clientId = await registerTestClient(service, { redirect_uris: Object.values(redirects) });
  const enrolled = await request(service, { method: "POST", url: "/api/v1/agents", payload: body });
  return {
    site,
    webhookIds,
    consentPaths: Object.values(redirects).map((redirect_uri) => askConsent(clientId, { redirect_uri }).url),
    signInUrl: await link(),
    spareSignInUrl: await link(),
    invitationUrl: invited?.link ?? "",
    previewUrl: shared.json.data.preview_url as string,
    claimUrl: enrolled.json.data.claim_url as string,
  };
}

/** Reads of works on each of twenty days, in forms that rise, fall and stay away. */
async function insertReads(service: TestService, ids: readonly string[]): Promise<void> {
  await runSql(
    service,
    `INSERT INTO read_counts (creation_id, day, form, readers, robots)
     SELECT id, $2::date - place, form, (place * 7 + length(form) * 13) % 41, place % 3
     FROM unnest($1::text[]) AS id, generate_series(0, 19) AS place, unnest('{page,json,download}'::text[]) AS form`,
    [ids, new Date(service.clock.nowMs)],
  );
}

/** Webhooks in every state, with what was sent to them. */
async function insertWebhooks(service: TestService, ownerId: string): Promise<string[]> {
  const url = `https://hooks.example.org/${"a-very-long-path-of-a-receiver/".repeat(6)}`;
  const rows = await runSql(
    service,
    `INSERT INTO webhooks (id, owner_id, url, types, status, status_reason, status_at, created_at, failing_since, renewed_at, generation)
     SELECT '0000000000000000000000000' || place, $1, $2, '{creation.published,reference.changed}', status,
       CASE status WHEN 'disabled' THEN 'failing' END, $3, $3, CASE status WHEN 'active' THEN $3::timestamptz END, $3, 2
     FROM unnest('{unverified,active,disabled,ended}'::text[]) WITH ORDINALITY AS s (status, place) RETURNING id`,
    [ownerId, url, new Date(service.clock.nowMs)],
  );
  await runSql(
    service,
    `INSERT INTO webhook_deliveries (webhook_id, message_id, type, state, due_at, created_at, tries, tried_at, status, failure)
     SELECT w.id, '0000000000000000000000000' || d.place, d.type, d.state, $1, $1, d.place, $1, d.status, d.failure
     FROM webhooks w, (VALUES (1, 'webhook.verify', 'delivered', 200, NULL), (2, 'creation.published', 'delivered', 204, NULL),
       (3, 'reference.changed', 'failed', 500, 'status'), (4, 'creation.published', 'waiting', NULL, 'timed_out'),
       (5, 'webhook.test', 'waiting', NULL, NULL)) AS d (place, type, state, status, failure)`,
    [new Date(service.clock.nowMs)],
  );
  return rows.map(({ id }) => id);
}

type Filled = Awaited<ReturnType<typeof fillPages>>;

/** At least one path for every route of a page; the console's pages take what they need from their parameters. */
const CASES: Record<string, (filled: Filled) => string[]> = {
  "/": () => ["/"],
  "/@:handle": () => ["/@rainwatch", "/@rainwatch?type=brief", "/@almanac-of-hard-words", "/@newcomer"],
  "/@:handle/section/:slug": () => ["/@rainwatch/section/analysis", "/@rainwatch/section/empty"],
  "/@:handle/:slug": ({ site }) => WORKS.map((name) => pathOf(site, name)),
  "/@:handle/:slug/revisions": ({ site }) => [`${pathOf(site, "demo")}/revisions`],
  // The list of the work whose slug is `section`, and here there is none.
  "/@:handle/section/revisions": () => [],
  "/@:handle/:slug/revisions/:number": ({ site }) =>
    [1, 2, 3].map((number) => `${pathOf(site, "demo")}/revisions/${number}`),
  "/@:handle/:slug/revisions/:from..:to": ({ site }) => [
    ...["2..3", "3..2", "3..3"].map((pair) => `${pathOf(site, "demo")}/revisions/${pair}`),
    ...["dataset", "collection", "arabic"].map((name) => `${pathOf(site, name)}/revisions/1..1`),
  ],
  "/@:handle/:slug/charts/:chart": ({ site }) => [`${pathOf(site, "demo")}/charts/1`],
  "/@:handle/:slug/revisions/:number/charts/:chart": ({ site }) => [
    `${pathOf(site, "demo")}/revisions/3/charts/1`,
  ],
  "/@:handle/:slug/files/:number": ({ site }) => {
    const [weather, document] = [pathOf(site, "dataset"), pathOf(site, "document")];
    const asked =
      "filter[0][column]=weather&filter[0][op]=eq&filter[0][value]=rain&sort[0][column]=date&q=seattle";
    return [
      ...["", `?${asked}`, "?group[0][column]=weather", "?row=118"].map(
        (query) => `${weather}/files/1${query}`,
      ),
      ...["1", "1?table=operators", "2"].map((file) => `${document}/files/${file}`),
    ];
  },
  "/report/:handle": () => ["/report/rainwatch"],
  "/report/:handle/:slug": ({ site }) => [`/report${pathOf(site, "demo").replace("@", "")}`],
  "/preview/:preview": ({ previewUrl }) => [new URL(previewUrl).pathname],
  "/search": () => ["/search", "/search?query=rain", "/search?query=zzzz", "/search?type=nonsense"],
  "/topics/:slug": () => ["/topics/agriculture", "/topics/transport", "/topics/agriculture?page=9"],
  "/owners/:alias": () => ["/owners/nora"],
  "/client": () => ["/client"],
  "/docs": () => ["/docs"],
  "/docs/:page": () => DOCS_SLUGS.map((slug) => `/docs/${slug}`),
  "/sign-in": () => ["/sign-in", "/sign-in?next=/console"],
  "/sign-in/:secret": ({ spareSignInUrl, invitationUrl }) => [
    ...[spareSignInUrl, invitationUrl].map((url) => new URL(url).pathname),
    "/sign-in/used",
  ],
  "/claim/:secret": ({ claimUrl }) => [new URL(claimUrl).pathname],
  "/oauth/authorize": ({ consentPaths }) => consentPaths,
  "/console/works/:id": ({ site }) =>
    ["demo", "dataset", "brief0"].map((name) => `/console/works/${site.works[name].id}`),
  "/console/works/:id/revisions/:number": ({ site }) =>
    [2, 3].map((number) => `/console/works/${site.works.demo.id}/revisions/${number}`),
  "/console/webhooks/:id": ({ webhookIds }) => webhookIds.map((id) => `/console/webhooks/${id}`),
  "/console/email/:secret": () => ["/console/email/used"],
};

/** A work of every type, and those with hard words. */
const WORKS = [
  ...["demo", "dataset", "document", "file", "project", "collection", "brief0"],
  ...["arabic", "hebrew", "marked", "long", "unlisted"],
];
/** Of the pages of the documentation, made by one template, these have every kind of part. */
const WALKED_DOCS = ["/docs/getting-started", "/docs/charts", "/docs/limits"];

/** Pages that are no route: what readers see when there is none. */
const LOST = ["/@rainwatch/nothing", "/@nobody", "/nowhere"];

/** Every case of the routes of an app; throws naming each route that has none. */
export function listCases(routes: readonly string[], filled: Filled): PageCase[] {
  const unknown = routes.filter((route) => CASES[route] === undefined && !route.startsWith("/console"));
  if (unknown.length > 0) {
    throw new Error(`no page case for ${unknown.join(", ")}: add one to test/api/rules/pages/page-cases.ts`);
  }
  const { id, handle } = filled.site.rainwatch;
  const known = routes.flatMap((route) => {
    const signedIn = /^\/(?:console|claim|oauth)/.test(route);
    const paths = CASES[route]?.(filled) ?? [route.replace(/:handle\b/, handle).replace(/:\w+/g, id)];
    return paths.map((path) => ({
      route,
      path,
      signedIn,
      isLikeAnother: path.startsWith("/docs/") && !WALKED_DOCS.includes(path),
    }));
  });
  const plain = { route: "(none)", signedIn: false, isLikeAnother: false };
  return [...known, ...LOST.map((path) => ({ ...plain, path }))];
}

/** The path of a published work. */
export function pathOf(site: RichSite, name: string): string {
  return new URL(site.works[name].public_url).pathname;
}
