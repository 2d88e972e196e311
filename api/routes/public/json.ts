import { addressesOf } from "../../../shared/ground/addresses.ts";
import { frameList } from "../../../shared/ground/pagination.ts";
import { RawJson, stringifyJson } from "../../../shared/ground/raw-json.ts";
import { readAgentKeys } from "../../../shared/identity/agents/agent-keys.ts";
import { addressSuccessor, linkHeaders, linkSuccessor } from "../../../shared/reading/metadata/links.ts";
import { disclosureHeaders, workDisclosureHeaders } from "../../../shared/reading/present-marks.ts";
import { describeCreation, presentPublicCreation } from "../../../shared/reading/public-creation.ts";
import { getFrontPage, presentPublicProfile } from "../../../shared/reading/public-profile.ts";
import {
  listPublishedRevisions,
  presentPublicRevision,
  writeChecksummed,
} from "../../../shared/reading/public-revisions.ts";
import type { RouteGroup, RouteRequest } from "../../http/context.ts";
import { agentOf, creationOf, type PublicAnswer } from "../../http/page-cache.ts";
import { readPreferredBytes } from "../../http/preferences.ts";
import { publicJson } from "../../http/public-route.ts";
import {
  JsonWebKeySet,
  PublicCreation,
  PublicProfile,
  PublicRevision,
  PublicRevisionList,
} from "../../openapi/schemas.ts";
import { MARKDOWN_OF_AGENT, MARKDOWN_OF_REVISION, MARKDOWN_OF_WORK } from "../../pages/forms.ts";
import { addressesBelowWork, openPublicRoutes, openWork, readWork } from "../open-public-routes.ts";

/** RFC 7517. */
const KEY_SET = "application/jwk-set+json";

/** The public JSON of agents, of creations and of their revisions. */
export const addPublicJsonRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  add("/@:handle/profile.json", {
    summary: "An agent's public profile",
    answers: { 200: PublicProfile },
    subjectOf: agentOf,
    async handle({ deps, params }) {
      const agent = await getFrontPage(deps, params.handle ?? "");
      return publicJson(await presentPublicProfile(deps, agent));
    },
  });
  add("/@:handle/profile/keys.json", {
    summary: "The keys that an agent signs with, and those that it has ended",
    answers: { 200: JsonWebKeySet },
    mediaTypes: [KEY_SET],
    subjectOf: agentOf,
    async handle({ deps, params }) {
      const agent = await getFrontPage(deps, params.handle ?? "");
      return { type: KEY_SET, body: stringifyJson(await readAgentKeys(deps.pool, agent.id)) };
    },
  });
  add("/@:handle/:slug.json", {
    summary: "A published creation",
    answers: { 200: PublicCreation },
    disclosed: true,
    // A description is of the statistics as well, which the version of a creation's page does not cover.
    subjectOf: (params, request) => (readPreferredBytes(request) === null ? creationOf(params) : null),
    async handle({ deps, context, params, request }) {
      const { creation, about } = await openWork(deps, params, "json");
      const made = workDisclosureHeaders(creation);
      const bytes = readPreferredBytes(request);
      if (bytes !== null) {
        const described = new RawJson(await describeCreation(deps, context.threads, creation, bytes));
        return { ...publicJson(described), headers: made, ...about };
      }
      const data = await presentPublicCreation(deps, creation);
      const links = linkHeaders(data.license, linkSuccessor(addressSuccessor(deps, creation)));
      return { ...publicJson(data), headers: { ...links, ...made }, ...about };
    },
  });
  for (const url of addressesBelowWork("revisions.json")) {
    add(url, {
      summary: "The published revisions of a creation, newest first",
      answers: { 200: PublicRevisionList },
      subjectOf: (params) => creationOf(readWork(params)),
      handle: listRevisions,
    });
  }
  add("/@:handle/:slug/revisions/:number.json", {
    summary: "A published creation as of one of its revisions",
    answers: { 200: PublicRevision },
    disclosed: true,
    subjectOf: creationOf,
    async handle({ deps, context, params }) {
      // Not cached: the version of a creation's page does not cover the works that an earlier revision names.
      context.onMissingPart?.();
      const { creation, about } = await openWork(deps, params, "json");
      const { data, made } = await presentPublicRevision(deps, creation, params.number ?? "");
      const links = linkHeaders(data.license, linkSuccessor(addressSuccessor(deps, creation)));
      const headers = { ...links, ...disclosureHeaders(made) };
      return { ...publicJson(data), headers, ...about };
    },
  });
  add("/@:handle/:slug/revisions/:number/checksum.json", {
    summary:
      "The text whose SHA-256 is the checksum of a published revision: its payload and the hashes of its files",
    answers: { 200: null },
    mediaTypes: ["application/json"],
    // Whoever checks a proof of the log reads this, too.
    bucket: "log",
    async handle({ deps, params }) {
      const { creation, about } = await openWork(deps, params, null);
      const body = await writeChecksummed(deps, creation, params.number ?? "");
      return { type: "application/json; charset=utf-8", body, ...about };
    },
  });
  // The Markdown of pages, which opens and closes as they do.
  for (const [url, what, subjectOf, form] of ROUTES) {
    add(url, {
      summary: `${what} as Markdown, with front matter in YAML`,
      answers: { 200: null },
      mediaTypes: ["text/markdown"],
      disclosed: true,
      subjectOf: (params) => subjectOf(params),
      handle: (input) => form.handle(input),
    });
  }
};

async function listRevisions({ deps, params }: RouteRequest): Promise<PublicAnswer> {
  const { handle, slug } = readWork(params);
  const { creation, about } = await openWork(deps, params, "json");
  const items = await listPublishedRevisions(deps, creation);
  const page = { page: 1, perPage: Math.max(100, items.length) };
  const path = addressesOf(deps.config.siteUrl).revisionsJson(handle, slug);
  const body = stringifyJson(frameList(path, {}, page, { items, total: items.length }));
  return { type: "application/json; charset=utf-8", body, ...about };
}

const ROUTES = [
  ["/@:handle.md", "An agent's front page", agentOf, MARKDOWN_OF_AGENT],
  ["/@:handle/:slug.md", "A published creation", creationOf, MARKDOWN_OF_WORK],
  ["/@:handle/:slug/revisions/:number.md", "A published revision", creationOf, MARKDOWN_OF_REVISION],
] as const;
