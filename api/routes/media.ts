import { notFound, Refusal, validationFailed } from "../../shared/errors.ts";
import { CONTENT_TYPES, getOpenFile } from "../../shared/public-files.ts";
import { readPublicRows } from "../../shared/public-rows.ts";
import type { RouteGroup } from "../door.ts";
import { Rows, RowsParameters } from "../openapi/schemas.ts";
import { addPublicRoute, allowOtherOrigins, allowPreflight, isKnown } from "../public-route.ts";
import { sendFile } from "../send-file.ts";

const DOWNLOAD = "/media/:asset/:filename";

/** Published files: rows of a table, and the whole file as a download. */
export const addMediaRoutes: RouteGroup = (app, door) => {
  addPublicRoute(app, door, {
    url: "/media/:asset/rows",
    bucket: "rows",
    cacheSeconds: 60,
    docs: {
      summary: "Rows of a published table, filtered and in parts",
      tag: "Public",
      query: RowsParameters,
      answers: { 200: Rows },
      codes: ["validation_failed", "not_tabular", "table_required", "too_large_to_read"],
    },
    async handle({ deps, params, request }) {
      const file = await getOpenFile(deps, params.asset ?? "");
      const query = new URLSearchParams(request.url.split("?")[1] ?? "");
      const outcome = await readPublicRows(deps, door.threads, file, query);
      if (!outcome.ok && outcome.code === "validation_failed") throw validationFailed(outcome.errors);
      if (!outcome.ok) throw new Refusal(outcome.code, outcome.message, { errors: outcome.errors });
      const body = `{"data":${outcome.json}}`;
      return { type: "application/json; charset=utf-8", body, noindex: !file.listed };
    },
  });
  allowPreflight(app, DOWNLOAD);
  app.get(DOWNLOAD, async (request, reply) => {
    allowOtherOrigins(reply);
    const { asset, filename } = request.params as { asset: string; filename: string };
    const file = await getOpenFile(door.deps, asset);
    if (file.filename !== filename) throw notFound("published file");
    if (!file.listed) reply.header("x-robots-tag", "noindex");
    const etag = `"${file.content_sha256}"`;
    reply.headers({ "cache-control": "no-cache", etag });
    if (isKnown(request, etag)) return reply.status(304).send();
    const type = CONTENT_TYPES[file.format];
    return await sendFile(reply, { filename, bytes: file.bytes, type }, door.deps.files.get(file.asset_id));
  });
};
