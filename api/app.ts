import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import type { FastifyInstance } from "fastify";
import { type BlockedNetworks, openBlockedNetworks } from "../shared/care/moderation/blocked-networks.ts";
import type { Deps } from "../shared/platform/deps.ts";
import type { Threads } from "../shared/platform/threads/open.ts";
import { openPageCache } from "../shared/reading/page-cache.ts";
import { openReadCounter, type ReadCounter } from "../shared/reading/view-counts/read-counter.ts";
import type { RouteContext } from "./http/context.ts";
import { openDownloads } from "./http/downloads.ts";
import { addBlockedNetworks } from "./http/hooks/blocked-networks.ts";
import { limitConnections } from "./http/hooks/connections.ts";
import { addErrors } from "./http/hooks/errors.ts";
import { addJsonBodies, SMALL_BODY_BYTES } from "./http/hooks/json-bodies.ts";
import { openRateLimits } from "./http/hooks/rate-limits.ts";
import { addRequests } from "./http/hooks/requests.ts";
import { addSecurityHeaders } from "./http/hooks/security-headers.ts";
import { addShedding } from "./http/hooks/shedding.ts";
import { addTextCheck } from "./http/hooks/text-check.ts";
import { addTimeLimits } from "./http/hooks/time-limits.ts";
import { addWireFailures } from "./http/hooks/wire-failures.ts";
import { openBodyRoom } from "./http/large-bodies.ts";
import type { LoadLimits } from "./http/places.ts";
import type { ListedRoute } from "./http/route-docs.ts";
import { openServer } from "./http/server.ts";
import { addMcpRoutes } from "./mcp/routes.ts";
import { addOpenApiRoute } from "./openapi/document.ts";
import { OWN_PAGES } from "./pages/own-pages.ts";
import { addAgentRoutes } from "./routes/agent/agent.ts";
import { addAgentsRoutes } from "./routes/agent/agents.ts";
import { addAppendRoutes } from "./routes/agent/appends.ts";
import { addAssetRoutes } from "./routes/agent/assets.ts";
import { addCheckRoutes } from "./routes/agent/checks.ts";
import { addCreationRoutes } from "./routes/agent/creations.ts";
import { addEventRoutes } from "./routes/agent/events.ts";
import { addKeyRoutes } from "./routes/agent/keys.ts";
import { addProfileRoutes } from "./routes/agent/profile.ts";
import { addPublishingRoutes } from "./routes/agent/publishing.ts";
import { addRevisionRoutes } from "./routes/agent/revisions.ts";
import { addConsoleAccountRoutes } from "./routes/console/account.ts";
import { addConsoleAgentRoutes } from "./routes/console/agents.ts";
import { addConsoleAuditRoutes } from "./routes/console/audit.ts";
import { addConsoleBlockRoutes } from "./routes/console/blocks.ts";
import { addConsentRoutes } from "./routes/console/consent.ts";
import { addConsoleRoutes } from "./routes/console/dashboard.ts";
import { addConsoleModerationRoutes } from "./routes/console/moderation.ts";
import { addSignInRoutes } from "./routes/console/sign-in.ts";
import { addConsoleTopicRoutes } from "./routes/console/topics.ts";
import { addConsoleWebhookRoutes } from "./routes/console/webhooks.ts";
import { addConsoleWorkRoutes } from "./routes/console/works.ts";
import { addApiCatalogRoute } from "./routes/public/api-catalog.ts";
import { addArtworkRoutes } from "./routes/public/artworks.ts";
import { addByIdRoutes } from "./routes/public/by-id.ts";
import { addChartFileRoutes } from "./routes/public/chart-files.ts";
import { addChartPageRoutes } from "./routes/public/chart-pages.ts";
import { addClientRoutes } from "./routes/public/client.ts";
import { addDiffRoutes } from "./routes/public/diffs.ts";
import { addDocsRoutes } from "./routes/public/docs.ts";
import { addFeedRoutes } from "./routes/public/feeds.ts";
import { addHealthRoutes } from "./routes/public/health.ts";
import { addPublicJsonRoutes } from "./routes/public/json.ts";
import { addLatestFileRoutes } from "./routes/public/latest-files.ts";
import { addLogRoutes } from "./routes/public/log.ts";
import { addMediaRoutes } from "./routes/public/media.ts";
import { addMediaDiffRoutes } from "./routes/public/media-diff.ts";
import { addMediaQueryRoutes } from "./routes/public/media-query.ts";
import { addMetadataRoutes } from "./routes/public/metadata.ts";
import { addOAuthMetadataRoutes } from "./routes/public/oauth-metadata.ts";
import { addOAuthTokenRoutes } from "./routes/public/oauth-tokens.ts";
import { addOembedRoute } from "./routes/public/oembed.ts";
import { addParquetRoute } from "./routes/public/parquet.ts";
import { addPreviewPageRoutes } from "./routes/public/preview-pages.ts";
import { addReaderListRoutes } from "./routes/public/reader-lists.ts";
import { addReportRoutes } from "./routes/public/reports.ts";
import { addSearchRoutes } from "./routes/public/search.ts";
import { addSitePageRoutes } from "./routes/public/site-pages.ts";
import { addTablePageRoutes } from "./routes/public/table-pages.ts";
import { addWitnessRoutes } from "./routes/public/witness.ts";

interface Condition {
  stopping: AbortController;
  /** In place of the usual limits of its load. */
  load: Partial<LoadLimits>;
  /** The blocked networks, which the process reads again and again. */
  blockedNetworks: BlockedNetworks;
  /** The count of reads, which the process writes from time to time. */
  reads: ReadCounter;
  /** Filled with every route of the interface; tests read it. */
  routes: ListedRoute[];
}

/** The whole interface: every plugin and every group of routes, in this one list. */
export async function buildApp(
  deps: Deps,
  threads: Threads,
  {
    stopping = new AbortController(),
    load = {},
    blockedNetworks = openBlockedNetworks(),
    reads = openReadCounter(deps),
    routes = [],
  }: Partial<Condition> = {},
): Promise<FastifyInstance> {
  const app = openServer(deps);
  app.decorate("ownPages", OWN_PAGES);
  const context: RouteContext = {
    deps,
    threads,
    stopping,
    rateLimits: openRateLimits(deps.config.limits, deps.redis),
    bodyRoom: openBodyRoom(),
    downloads: openDownloads(),
    pageCache: openPageCache(deps),
    reads,
    routes,
  };
  limitConnections(app, deps);
  addTimeLimits(app);
  addRequests(app, deps, { stopping, reads });
  addSecurityHeaders(app, deps);
  addErrors(app, deps);
  addBlockedNetworks(app, blockedNetworks);
  addWireFailures(app, deps);
  addShedding(app, deps, load);
  addJsonBodies(app);
  addTextCheck(app);

  addHealthRoutes(app, context);
  addAgentsRoutes(app, context);
  addAgentRoutes(app, context);
  addProfileRoutes(app, context);
  addKeyRoutes(app, context);
  addCreationRoutes(app, context);
  addAppendRoutes(app, context);
  addCheckRoutes(app, context);
  addRevisionRoutes(app, context);
  addEventRoutes(app, context);
  addPublishingRoutes(app, context);
  addAssetRoutes(app, context);
  addSearchRoutes(app, context);
  // Before the revisions as JSON: of two patterns with one end, the router tries the first that is registered.
  addDiffRoutes(app, context);
  addPublicJsonRoutes(app, context);
  addLogRoutes(app, context);
  addWitnessRoutes(app, context);
  addChartFileRoutes(app, context);
  addChartPageRoutes(app, context);
  addOembedRoute(app, context);
  addMetadataRoutes(app, context);
  addByIdRoutes(app, context);
  addPreviewPageRoutes(app, context);
  addMediaRoutes(app, context);
  addMediaQueryRoutes(app, context);
  addParquetRoute(app, context);
  addMediaDiffRoutes(app, context);
  addArtworkRoutes(app, context);
  addFeedRoutes(app, context);
  addDocsRoutes(app, context);
  addClientRoutes(app, context);
  addReaderListRoutes(app, context);
  addSitePageRoutes(app, context);
  addTablePageRoutes(app, context);
  addLatestFileRoutes(app, context);
  // Only the console, the report pages and OAuth read web forms and cookies; the interface answers 415 to forms.
  await app.register(async (pages) => {
    await pages.register(cookie);
    await pages.register(formbody, { bodyLimit: SMALL_BODY_BYTES });
    addSignInRoutes(pages, context);
    addConsentRoutes(pages, context);
    addOAuthTokenRoutes(pages, context);
    addConsoleRoutes(pages, context);
    addConsoleAgentRoutes(pages, context);
    addConsoleWorkRoutes(pages, context);
    addConsoleWebhookRoutes(pages, context);
    addConsoleAuditRoutes(pages, context);
    addConsoleAccountRoutes(pages, context);
    addConsoleModerationRoutes(pages, context);
    addConsoleTopicRoutes(pages, context);
    addConsoleBlockRoutes(pages, context);
    addReportRoutes(pages, context);
  });
  addOAuthMetadataRoutes(app, context);
  addOpenApiRoute(app, context);
  addApiCatalogRoute(app, context);
  addMcpRoutes(app, context);
  return app;
}
