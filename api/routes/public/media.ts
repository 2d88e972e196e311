import type { FastifyReply, FastifyRequest } from "fastify";
import { CONTENT_TYPES, getOpenFile } from "../../../shared/assets/public-files.ts";
import { exportPublicRows, readPublicRows } from "../../../shared/assets/read-rows.ts";
import { readPublicStats } from "../../../shared/assets/statistics.ts";
import { sha256 } from "../../../shared/checksum.ts";
import type { RowsRefusal } from "../../../shared/core/rows/plan.ts";
import type { ExportFormat } from "../../../shared/core/rows/text-rows.ts";
import { notFound, Refusal, validationFailed } from "../../../shared/errors.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { addPublicRoute, allowOtherOrigins, allowPreflight } from "../../http/public-route.ts";
import { requesterOf } from "../../http/requester.ts";
import { DOWNLOAD_TIMEOUT_MS, sendFile } from "../../http/send-file.ts";
import { ExportParameters, Rows, RowsParameters, Stats, StatsParameters } from "../../openapi/schemas.ts";
import { isFresh } from "../../page-cache/freshness.ts";

const DOWNLOAD = "/media/:asset/:filename";
const ROWS_CODES = ["validation_failed", "not_tabular", "table_required", "too_large_to_read"];
const EXPORT_TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson; charset=utf-8",
} as const;

const [DATA_OPENS, DATA_CLOSES] = [Buffer.from('{"data":'), Buffer.from("}")];

/** Published files: rows of a table, and the whole file as a download. */
export const addMediaRoutes: RouteGroup = (app, context) => {
  addPublicRoute(app, context, {
    url: "/media/:asset/rows",
    bucket: "rows",
    cacheSeconds: 60,
    docs: {
      summary: "Rows of a published table, filtered and in parts",
      tag: "Public",
      query: RowsParameters,
      answers: { 200: Rows },
      codes: ROWS_CODES,
    },
    async handle({ deps, params, request, reply }) {
      const file = await getOpenFile(deps, params.asset ?? "");
      const asked = { parameters: readQuery(request), requester: requesterOf(request, reply) };
      const outcome = await readPublicRows(deps, context.threads, file, asked);
      if (!outcome.ok) throw refuseRows(outcome);
      const body = Buffer.concat([DATA_OPENS, outcome.json, DATA_CLOSES]);
      return { type: "application/json; charset=utf-8", body, noindex: !file.listed };
    },
  });
  addExportRoute(app, context, "csv", "Every asked row of a published table, as CSV");
  addExportRoute(app, context, "ndjson", "Every asked row of a published table, each line an object");
  addStatsRoute(app, context);
  allowPreflight(app, DOWNLOAD);
  app.get(DOWNLOAD, { handlerTimeout: DOWNLOAD_TIMEOUT_MS }, async (request, reply) => {
    allowOtherOrigins(reply);
    const { asset, filename } = request.params as { asset: string; filename: string };
    const file = await getOpenFile(context.deps, asset);
    if (file.filename !== filename) throw notFound("published file");
    if (!file.listed) reply.header("x-robots-tag", "noindex");
    const etag = `"${file.content_sha256}"`;
    reply.headers({ "cache-control": "no-cache", etag });
    if (isFresh(request.headers, { etag })) return reply.status(304).send();
    const type = CONTENT_TYPES[file.format];
    return await sendFile(
      await context.downloads.open(reply),
      { filename, bytes: file.bytes, type },
      context.deps.files.get(file.asset_id),
    );
  });
};

const addStatsRoute: RouteGroup = (app, context) => {
  addPublicRoute(app, context, {
    url: "/media/:asset/stats",
    bucket: "rows",
    cacheSeconds: 60,
    docs: {
      summary: "Statistics of the columns of a published table",
      tag: "Public",
      query: StatsParameters,
      answers: { 200: Stats },
      codes: ROWS_CODES,
    },
    async handle({ deps, params, request }) {
      const file = await getOpenFile(deps, params.asset ?? "");
      const outcome = await readPublicStats(deps, context.threads, file, readQuery(request));
      if (!outcome.ok) throw refuseRows(outcome);
      const body = `{"data":${outcome.json}}`;
      return { type: "application/json; charset=utf-8", body, noindex: !file.listed };
    },
  });
};

function addExportRoute(
  app: Parameters<RouteGroup>[0],
  context: RouteContext,
  format: ExportFormat,
  summary: string,
): void {
  addPublicRoute(app, context, {
    url: `/media/:asset/rows/all.${format}`,
    bucket: "rows",
    cacheSeconds: 0,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    docs: {
      summary,
      tag: "Public",
      query: ExportParameters,
      answers: { 200: null },
      mediaTypes: EXPORT_TYPES[format].split(";").slice(0, 1),
      codes: ROWS_CODES,
    },
    async handle({ params, request, reply }) {
      await sendExport(context, params.asset ?? "", format, request, reply);
      return null;
    },
  });
}

/**
 * Sends all requested rows as they are read; an answer that breaks off has no end, so no client takes it for
 * complete.
 */
async function sendExport(
  context: RouteContext,
  asset: string,
  format: ExportFormat,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = await getOpenFile(context.deps, asset);
  const query = readQuery(request);
  const etag = `"${sha256(`${file.content_sha256} ${format} ${query}`).slice(0, 32)}"`;
  const headers = {
    "cache-control": "no-cache",
    etag,
    ...(file.listed ? {} : { "x-robots-tag": "noindex" }),
  };
  if (isFresh(request.headers, { etag })) return reply.headers(headers).status(304).send();
  const download = await context.downloads.open(reply);
  const asked = { parameters: query, requester: requesterOf(request, reply) };
  const outcome = await exportPublicRows(context.deps, context.threads, file, asked, format);
  if (!outcome.ok) throw refuseRows(outcome);
  reply.headers(headers);
  const filename = `${file.filename.replace(/\.[^.]*$/, "")}-rows.${format}`;
  // HEAD gets none of the bytes, and nobody else would let go of the thread that makes them.
  if (request.method === "HEAD") await outcome.close();
  return await sendFile(download, { filename, type: EXPORT_TYPES[format] }, outcome.bytes);
}

/** Everything behind the first question mark: a value may hold another. */
function readQuery({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
}

function refuseRows(refusal: RowsRefusal): Refusal {
  if (refusal.code === "validation_failed") return validationFailed(refusal.errors);
  return new Refusal(refusal.code, refusal.message, { errors: refusal.errors });
}
