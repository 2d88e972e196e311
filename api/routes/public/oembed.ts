import { httpError, refuse, refuseFaults } from "../../../shared/ground/errors.ts";
import { getOpenCreation } from "../../../shared/reading/public-creation.ts";
import type { RouteGroup } from "../../http/context.ts";
import { refuseAsNoindex } from "../../http/counted-reads.ts";
import { EMBED_FORMATS, readChoice } from "../../http/query.ts";
import { OEmbed, OEmbedQuery } from "../../openapi/schemas.ts";
import { toChartEmbed, toWorkEmbed } from "../../pages/site/oembed.ts";
import { openPublicRoutes } from "../open-public-routes.ts";

type Query = Record<string, unknown>;

/** How another site shows a work or a chart, as programs ask for it by the oEmbed specification. */
export const addOembedRoute: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  add("/oembed", {
    summary: "How another site shows a published work, or one of its charts, by oEmbed",
    query: OEmbedQuery,
    answers: { 200: OEmbed },
    codes: ["not_found", "validation_failed"],
    httpErrors: [501],
    async handle({ deps, context, query }) {
      const { handle, slug, revision, chart } = readPlace(deps.config.siteUrl, query.url);
      const creation = await getOpenCreation(deps, handle, slug);
      const room = { width: readMost(query.maxwidth), height: readMost(query.maxheight) };
      const embed = await refuseAsNoindex<object>(creation, () =>
        chart === null
          ? toWorkEmbed(context, creation, room)
          : toChartEmbed(context, creation, { chart, revision }, room),
      );
      // Behind what is not there: an address that shows nothing has no form at all.
      refuseOtherFormats(query);
      const noindex = creation.visibility === "unlisted";
      return { type: "application/json; charset=utf-8", body: JSON.stringify(embed), noindex };
    },
  });
};

const PLACE = /^\/@([^/]+)\/([^/]+)(?:(?:\/revisions\/([^/]+))?\/charts\/([^/]+))?\/?$/;

/** The work or the chart whose page stands at an address of this site. Throws 404 for any other. */
function readPlace(siteUrl: string, url: unknown) {
  const asked = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  const isOurs = asked !== null && /^https?:$/.test(asked.protocol) && asked.host === new URL(siteUrl).host;
  const place = isOurs ? PLACE.exec(asked.pathname.replace("/%40", "/@")) : null;
  if (place === null) {
    const hint = `url takes the address of a work, such as ${siteUrl}/@handle/slug, or of one of its charts, …/charts/1.`;
    throw refuse("not_found", "url names no work and no chart of this site.", hint);
  }
  const [, handle = "", slug = "", revision = null, chart = null] = place;
  return { handle, slug, revision, chart };
}

/** A most in pixels; what is no whole number from 1 is none. */
function readMost(sent: unknown): number {
  return typeof sent === "string" && /^[1-9]\d{0,8}$/.test(sent) ? Number(sent) : Number.POSITIVE_INFINITY;
}

function refuseOtherFormats(query: Query): void {
  const faults = {};
  const format = readChoice(query, "format", EMBED_FORMATS, faults);
  refuseFaults(faults);
  if (format === "xml")
    throw httpError(501, "The answer comes as JSON alone: leave format out, or send json.");
}
