import type { FastifyRequest } from "fastify";
import type { OpenFile } from "../../../shared/datasets/uploads/public-files.ts";
import { exportPublicRows, readPublicRows } from "../../../shared/datasets/uploads/read-rows.ts";
import { readPublicStats } from "../../../shared/datasets/uploads/statistics.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { etagOf } from "../../../shared/ground/checksum.ts";
import { notFound } from "../../../shared/ground/errors.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { listCollections } from "../../../shared/reading/metadata/links.ts";
import { fileDisclosureHeaders } from "../../../shared/reading/present-marks.ts";
import { describeOpenFile } from "../../../shared/reading/public-creation.ts";
import type { ExportFormat } from "../../../shared/tables/rows/text-rows.ts";
import { writeLinkHeader } from "../../../shared/text/metadata/links.ts";
import type { RouteGroup } from "../../http/context.ts";
import { openFileToRead } from "../../http/counted-reads.ts";
import { readPreferredBytes } from "../../http/preferences.ts";
import { allowOtherOrigins, allowPreflight } from "../../http/public-route.ts";
import { DOWNLOAD_TIMEOUT_MS, sendOpenFile } from "../../http/send-file.ts";
import { addTableExport, ROWS_CODES, refuseRows, tableJson, textOfQuery } from "../../http/table-export.ts";
import {
  CsvExportParameters,
  ExportParameters,
  Rows,
  RowsParameters,
  Stats,
  StatsParameters,
} from "../../openapi/schemas.ts";
import { type AddPublicRoute, openPublicRoutes } from "../open-public-routes.ts";

const DOWNLOAD = "/media/:asset/:filename";
/** What rows may take beside the search for them: the wait for a thread, and the answer. */
const TURN_SECONDS = 15;

/** Published files: rows of a table, and the whole file as a download. */
export const addMediaRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context, { bucket: "rows", cacheSeconds: 60 });
  add("/media/:asset/rows", {
    summary: "Rows of a published table, filtered and in parts",
    query: RowsParameters,
    answers: { 200: Rows },
    disclosed: true,
    codes: ROWS_CODES,
    renderingMs: 1_000 * (context.deps.config.limits.scanSeconds + TURN_SECONDS),
    async handle({ deps, params, request, reply }) {
      const file = await openFileToRead(deps, { request, reply }, params.asset, "rows");
      const rowBytes = readPreferredBytes(request);
      const outcome = await readPublicRows(deps, context.threads, file, {
        query: readQuery(request),
        rowBytes,
      });
      if (!outcome.ok) throw refuseRows(outcome);
      return tableJson(file, outcome.json, request, deps.config.limits.rowsPerCall);
    },
  });
  const addresses = addressesOf(context.deps.config.siteUrl);
  const addExport = (format: ExportFormat, summary: string) =>
    addTableExport(app, context, {
      ...{ of: "rows", format, bucket: "rows", summary },
      query: format === "csv" ? CsvExportParameters : ExportParameters,
      ...{ cacheSeconds: 0, caching: "no-cache" },
      read(file, request) {
        const parameters = readQuery(request);
        const etag = etagOf(`${file.content_sha256} ${format} ${parameters}`);
        const open = () => exportPublicRows(context.deps, context.threads, file, parameters, format);
        const asked = new URLSearchParams(parameters);
        asked.delete("bom");
        const pagesUrl = `${addresses.rows(file.asset_id)}${asked.size === 0 ? "" : `?${asked}`}`;
        return { etag, open, pagesUrl };
      },
    });
  addExport("csv", "Every asked row of a published table, as CSV");
  addExport("ndjson", "Every asked row of a published table, each line an object");
  addStatsRoute(add);
  allowPreflight(app, DOWNLOAD);
  app.get(DOWNLOAD, { handlerTimeout: DOWNLOAD_TIMEOUT_MS }, async (request, reply) => {
    allowOtherOrigins(reply);
    const { asset, filename } = request.params as { asset: string; filename: string };
    const file = await openFileToRead(context.deps, { request, reply }, asset, "download");
    if (file.filename !== filename) throw notFound("published file");
    reply.headers({ "cache-control": "no-cache", ...fileDisclosureHeaders(file) });
    reply.headers(await linkToPages(context.deps, file));
    return await sendOpenFile(context, file, request, reply);
  });
};

/** The header that leads from a download to the pages of the works that publish it; none where no page may be named. */
async function linkToPages(deps: Deps, file: OpenFile): Promise<Record<string, string>> {
  const pages = await listCollections(deps, file);
  return pages.length === 0 ? {} : { link: writeLinkHeader(pages) };
}

function addStatsRoute(add: AddPublicRoute): void {
  add("/media/:asset/stats", {
    summary: "Statistics of the columns of a published table",
    query: StatsParameters,
    answers: { 200: Stats },
    disclosed: true,
    codes: ROWS_CODES,
    async handle({ deps, context, params, request, reply }) {
      const file = await openFileToRead(deps, { request, reply }, params.asset, "rows");
      const bytes = readPreferredBytes(request);
      const outcome =
        bytes === null
          ? await readPublicStats(deps, context.threads, file, readQuery(request))
          : await describeOpenFile(deps, context.threads, file, bytes);
      if (!outcome.ok) throw refuseRows(outcome);
      const body = `{"data":${outcome.json}}`;
      const headers = fileDisclosureHeaders(file);
      return { type: "application/json; charset=utf-8", body, noindex: !file.listed, headers };
    },
  });
}

function readQuery(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(textOfQuery(request));
}
