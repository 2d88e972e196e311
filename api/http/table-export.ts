import type { FastifyReply, FastifyRequest } from "fastify";
import type { DisclosedFile } from "../../shared/datasets/uploads/public-files.ts";
import type { OpenExport } from "../../shared/datasets/uploads/read-rows.ts";
import { Refusal, validationFailed } from "../../shared/ground/errors.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import { listCollections } from "../../shared/reading/metadata/links.ts";
import { fileDisclosureHeaders } from "../../shared/reading/present-marks.ts";
import type { RowsRefusal } from "../../shared/tables/rows/plan.ts";
import type { ExportFormat } from "../../shared/tables/rows/text-rows.ts";
import { writeLinkHeader } from "../../shared/text/metadata/links.ts";
import { findKnownForm, listForms } from "./codings.ts";
import type { RouteContext, RouteGroup } from "./context.ts";
import { openFileToRead } from "./counted-reads.ts";
import { addPublicRoute, type PublicRoute } from "./public-route.ts";
import { DOWNLOAD_TIMEOUT_MS, sendFile } from "./send-file.ts";

interface AskedExport {
  etag: string;
  /** Its Cache-Control, where it is not that of its route. */
  caching?: string;
  /** What it is of, where that is more than the file itself. */
  about?: AnsweredFile;
  /** The address of the same question, answered in pages; null of what is of two files. */
  pagesUrl: string | null;
  open(): Promise<OpenExport | RowsRefusal>;
}

interface ExportRoute {
  /** `rows`, `query` or `diff`: the last word of the address before the file, and of the file's name. */
  of: "rows" | "query" | "diff";
  format: ExportFormat;
  bucket: PublicRoute["bucket"];
  cacheSeconds: number;
  /** The Cache-Control of its answers. */
  caching: string;
  summary: string;
  query: NonNullable<PublicRoute["query"]>;
  /** Reads what is asked; throws 422 for what cannot be asked. */
  read(file: DisclosedFile, request: FastifyRequest): AskedExport | Promise<AskedExport>;
}

/** Registers the address of an export of published tables. */
export function addTableExport(
  app: Parameters<RouteGroup>[0],
  context: RouteContext,
  route: ExportRoute,
): void {
  const { of, format, bucket, cacheSeconds, summary, query } = route;
  addPublicRoute(app, context, {
    url: `/media/:asset/${of}/all.${format}`,
    bucket,
    cacheSeconds,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    summary,
    tag: "Public",
    query,
    answers: { 200: null },
    disclosed: true,
    mediaTypes: EXPORT_TYPES[format].split(";").slice(0, 1),
    codes: ROWS_CODES,
    async handle({ params, request, reply }) {
      const file = await openFileToRead(context.deps, { request, reply }, params.asset, "rows");
      await sendExport(context, route, file, request, reply);
      return null;
    },
  });
}

/** Sends an export as it is read; an answer that breaks off has no end, so no client takes it for complete. */
async function sendExport(
  { deps, downloads }: RouteContext,
  { of, format, caching, read }: ExportRoute,
  file: DisclosedFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = await read(file, request);
  const { about = file, pagesUrl } = asked;
  const isMarked = format === "csv" && new URLSearchParams(textOfQuery(request)).has("bom");
  const tag = isMarked ? `${asked.etag}-bom` : asked.etag;
  const headers = {
    ...describeTableAnswer(about, tag, asked.caching ?? caching),
    ...(pagesUrl === null ? {} : await linkExport(deps, file, pagesUrl)),
    vary: "accept-encoding",
  };
  const forms = listForms(request.headers, tag);
  const known = findKnownForm(request.headers, forms);
  if (known !== null)
    return reply
      .headers({ ...headers, etag: known.etag })
      .status(304)
      .send();
  const download = await downloads.open(reply);
  const outcome = await asked.open();
  if (!outcome.ok) throw refuseRows(outcome);
  const { coding, etag } = download.choose(forms);
  reply.headers({ ...headers, etag });
  const filename = `${file.filename.replace(/\.[^.]*$/, "")}-${nameExport(of, file, outcome)}.${format}`;
  // HEAD gets none of the bytes, and nobody else would let go of the thread that makes them.
  if (request.method === "HEAD") await outcome.close();
  const bytes = isMarked ? mark(outcome.bytes) : outcome.bytes;
  return await sendFile(download, { filename, type: EXPORT_TYPES[format], coding }, bytes);
}

/** What a file on a disk says of itself by its name: its revision, and that it is not the whole table. */
function nameExport(of: ExportRoute["of"], file: DisclosedFile, { isWhole }: OpenExport): string {
  if (of === "diff") return of;
  const revision = `r${file.revision_number}`;
  if (of === "query") return `${revision}-query`;
  return isWhole ? revision : `${revision}-filtered`;
}

/** The links from an export to the work that publishes its file, and to its question. */
async function linkExport(
  deps: Deps,
  file: DisclosedFile,
  pagesUrl: string,
): Promise<Record<string, string>> {
  const [work] = await listCollections(deps, file);
  const described = work === undefined ? [] : [{ ...work, rel: "describedby" }];
  return { link: writeLinkHeader([...described, { rel: "canonical", href: pagesUrl }]) };
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

async function* mark(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield BYTE_ORDER_MARK;
  yield* bytes;
}

/** The headers of an answer about a file, by the entity tag without quotes. */
export function describeTableAnswer(file: AnsweredFile, etag: string, caching: string) {
  return {
    ...fileDisclosureHeaders(file),
    "cache-control": caching,
    etag: `"${etag}"`,
    ...(file.listed ? {} : { "x-robots-tag": "noindex" }),
  };
}

/** The codes by which a table refuses. */
export const ROWS_CODES = ["validation_failed", "not_tabular", "table_required", "too_large_to_read"];

/** The types of exported tables. */
export const EXPORT_TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson; charset=utf-8",
} as const;

/** Everything behind the first question mark: a value may hold another. */
export function textOfQuery({ url }: FastifyRequest): string {
  const at = url.indexOf("?");
  return at === -1 ? "" : url.slice(at + 1);
}

/** The refusal of a question about a table. */
export function refuseRows(refusal: RowsRefusal): Refusal {
  if (refusal.code === "validation_failed") return validationFailed(refusal.errors);
  const { code, message, errors, hint } = refusal;
  return new Refusal(code, message, { errors, ...(hint !== undefined && { hint }) });
}

/** What an answer about a file, or about two, says of the works that hold it. */
export type AnsweredFile = Pick<DisclosedFile, "listed" | "statements">;

/** A public answer around the JSON that a thread wrote of a file's table; it says where the limit was cut. */
export function tableJson(file: AnsweredFile, json: Uint8Array, request: FastifyRequest, most: number) {
  const asked = readLimitAsked(textOfQuery(request));
  const meta = asked > most ? `,"meta":{"limit":${most},"limit_asked":${asked}}` : "";
  return {
    type: "application/json; charset=utf-8",
    body: Buffer.concat([Buffer.from('{"data":'), json, Buffer.from(`${meta}}`)]),
    noindex: !file.listed,
    headers: fileDisclosureHeaders(file),
  };
}

/** The limit of a question that was read before, in a parameter or in the question as JSON; 0 where it has none. */
function readLimitAsked(query: string): number {
  const parameters = new URLSearchParams(query);
  const { limit } = JSON.parse(parameters.get("question") ?? "{}") as { limit?: number };
  return Math.min(Number(limit ?? parameters.get("limit")), Number.MAX_SAFE_INTEGER);
}
