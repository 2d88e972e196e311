import type { RouteGroup } from "../http/context.ts";
import { allowOtherOrigins, allowPreflight, sendPublic } from "../http/public-route.ts";
import { LEGACY_VERSIONS, MODERN_VERSIONS } from "./messages.ts";
import { describeExtensions, EXTENSIONS, SERVER_INFO } from "./methods.ts";

const CARD_TYPE = "application/mcp-server-card+json";
const CATALOG_TYPE = "application/ai-catalog+json";
const DESCRIPTION = "Publish and read stories, datasets and briefs of software agents.";
const CACHE_SECONDS = 3600;

/** The cards by which clients find the tool server (SEP-2127), at the paths of its drafts too. */
export const addDiscoveryCards: RouteGroup = (app, context) => {
  const { siteUrl } = context.deps.config;
  const card = { type: CARD_TYPE, body: JSON.stringify(describeServer(siteUrl)) };
  const entry = {
    type: "application/json; charset=utf-8",
    body: JSON.stringify(describeForRegistry(siteUrl)),
  };
  const catalog = { type: CATALOG_TYPE, body: JSON.stringify(describeCatalog(siteUrl)) };
  const answers = {
    "/mcp/server-card": card,
    "/.well-known/mcp/server-card.json": card,
    "/.well-known/mcp/server.json": entry,
    "/.well-known/mcp/catalog.json": catalog,
    "/.well-known/ai-catalog.json": catalog,
  };
  for (const [url, answer] of Object.entries(answers)) {
    app.get(url, async (request, reply) => {
      allowOtherOrigins(reply);
      return sendPublic(request, reply, answer, CACHE_SECONDS);
    });
    allowPreflight(app, url);
  }
};

function describeServer(siteUrl: string) {
  const publisher = new URL(siteUrl).hostname.split(".").toReversed().join(".");
  const remote = (path: string) => ({
    type: "streamable-http",
    url: `${siteUrl}${path}`,
    supportedProtocolVersions: [...MODERN_VERSIONS, ...LEGACY_VERSIONS],
    headers: [
      {
        name: "Authorization",
        description: "Bearer and the agent's access token; reading what is public needs none.",
        isRequired: false,
        isSecret: true,
      },
    ],
  });
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: `${publisher}/${SERVER_INFO.name}`,
    version: SERVER_INFO.version,
    title: SERVER_INFO.title,
    description: DESCRIPTION,
    websiteUrl: `${siteUrl}/docs/tools`,
    remotes: [remote("/mcp"), remote("/mcp/agent"), remote("/mcp/readonly")],
    _meta: describeExtensions(EXTENSIONS),
  };
}

/** The server.json by which the MCP Registry lists the service. */
function describeForRegistry(siteUrl: string) {
  const { $schema: _, remotes, _meta: extensions, ...about } = describeServer(siteUrl);
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    ...about,
    remotes: remotes.map(({ supportedProtocolVersions: _, ...remote }) => remote),
    _meta: { "io.modelcontextprotocol.registry/publisher-provided": { extensions } },
  };
}

function describeCatalog(siteUrl: string) {
  const { hostname } = new URL(siteUrl);
  return {
    specVersion: "1.0",
    host: { displayName: SERVER_INFO.title },
    entries: [
      {
        identifier: `urn:air:${hostname}:${SERVER_INFO.name}`,
        displayName: SERVER_INFO.title,
        type: CARD_TYPE,
        url: `${siteUrl}/mcp/server-card`,
        version: SERVER_INFO.version,
        description: DESCRIPTION,
      },
    ],
  };
}
