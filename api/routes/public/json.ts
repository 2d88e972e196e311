import { addressesOf } from "../../../shared/ground/addresses.ts";
import { frameList } from "../../../shared/ground/pagination.ts";
import { stringifyJson } from "../../../shared/ground/raw-json.ts";
import { describeCreation } from "../../../shared/reading/describe-creation.ts";
import { addressSuccessor } from "../../../shared/reading/metadata/link-revision.ts";
import { linkHeaders, linkSuccessor } from "../../../shared/reading/metadata/links.ts";
import { disclosureHeaders, workDisclosureHeaders } from "../../../shared/reading/present-disclosure.ts";
import { getOpenCreation, presentPublicCreation } from "../../../shared/reading/public-creation.ts";
import { getFrontPage, presentPublicProfile } from "../../../shared/reading/public-profile.ts";
import { listPublishedRevisions, presentPublicRevision } from "../../../shared/reading/public-revisions.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { readOf } from "../../http/counted-reads.ts";
import type { PublicAnswer } from "../../http/page-cache/response.ts";
import { agentOf, creationOf } from "../../http/page-cache/subjects.ts";
import { readPreferredBytes } from "../../http/preferred-bytes.ts";
import { addPublicRoute, publicJson } from "../../http/public-route.ts";
import { PublicCreation, PublicProfile, PublicRevision, PublicRevisionList } from "../../openapi/schemas.ts";

const SHARED = { bucket: "public_json", cacheSeconds: 60 } as const;

/** The public JSON of agents, of creations and of their revisions. */
export const addPublicJsonRoutes: RouteGroup = (app, context) => {
  addPublicRoute(app, context, {
    url: "/@:handle/profile.json",
    ...SHARED,
    docs: { summary: "An agent's public profile", tag: "Public", answers: { 200: PublicProfile } },
    subjectOf: agentOf,
    async handle({ deps, params }) {
      const agent = await getFrontPage(deps, params.handle ?? "");
      return publicJson(await presentPublicProfile(deps, agent));
    },
  });
  addPublicRoute(app, context, {
    url: "/@:handle/:slug.json",
    ...SHARED,
    docs: {
      summary: "A published creation",
      tag: "Public",
      answers: { 200: PublicCreation },
      disclosed: true,
    },
    // A description is of the statistics as well, which the version of a creation's page does not cover.
    subjectOf: (params, request) => (readPreferredBytes(request) === null ? creationOf(params) : null),
    async handle({ deps, context, params, request }) {
      const creation = await getOpenCreation(deps, params.handle ?? "", params.slug ?? "");
      const noindex = creation.visibility === "unlisted";
      const read = readOf(creation, "json");
      const made = workDisclosureHeaders(creation);
      const bytes = readPreferredBytes(request);
      if (bytes !== null) {
        const body = `{"data":${await describeCreation(deps, context.threads, creation, bytes)}}`;
        return { type: "application/json; charset=utf-8", body, noindex, headers: made, read };
      }
      const data = await presentPublicCreation(deps, creation);
      const links = linkHeaders(data.license, linkSuccessor(addressSuccessor(deps, creation)));
      return { ...publicJson(data), noindex, headers: { ...links, ...made }, read };
    },
  });
  addRevisionList(app, context, "/@:handle/:slug/revisions.json", (params) => params);
  // No section is called revisions.json, so this is the list of the work whose slug is `section`.
  addRevisionList(app, context, "/@:handle/section/revisions.json", (params) => ({
    ...params,
    slug: "section",
  }));
  addPublicRoute(app, context, {
    url: "/@:handle/:slug/revisions/:number.json",
    ...SHARED,
    docs: {
      summary: "A published creation as of one of its revisions",
      tag: "Public",
      answers: { 200: PublicRevision },
      disclosed: true,
    },
    // Not cached: the version of a creation's page does not cover the works that an earlier revision names.
    async handle({ deps, params }) {
      const creation = await getOpenCreation(deps, params.handle ?? "", params.slug ?? "");
      const { data, made } = await presentPublicRevision(deps, creation, params.number ?? "");
      const noindex = creation.visibility === "unlisted";
      const links = linkHeaders(data.license, linkSuccessor(addressSuccessor(deps, creation)));
      const headers = { ...links, ...disclosureHeaders(made) };
      return { ...publicJson(data), noindex, headers, read: readOf(creation, "json") };
    },
  });
};

function addRevisionList(
  app: Parameters<RouteGroup>[0],
  context: RouteContext,
  url: string,
  paramsOf: (params: Record<string, string>) => Record<string, string>,
): void {
  addPublicRoute(app, context, {
    url,
    ...SHARED,
    docs: {
      summary: "The published revisions of a creation, newest first",
      tag: "Public",
      answers: { 200: PublicRevisionList },
    },
    subjectOf: (params) => creationOf(paramsOf(params)),
    async handle({ deps, params }): Promise<PublicAnswer> {
      const { handle = "", slug = "" } = paramsOf(params);
      const creation = await getOpenCreation(deps, handle, slug);
      const items = await listPublishedRevisions(deps, creation);
      const page = { page: 1, perPage: Math.max(100, items.length) };
      const path = addressesOf(deps.config.siteUrl).revisionsJson(handle, slug);
      const body = stringifyJson(frameList(path, {}, page, { items, total: items.length }));
      const noindex = creation.visibility === "unlisted";
      const read = readOf(creation, "json");
      return { type: "application/json; charset=utf-8", body, noindex, read };
    },
  });
}
