import type { FastifyReply, FastifyRequest } from "fastify";
import { findPublicParquet } from "../../../shared/datasets/parquet/find-parquet.ts";
import { hurryParquet } from "../../../shared/datasets/parquet/make-parquet.ts";
import type { DisclosedFile } from "../../../shared/datasets/uploads/public-files.ts";
import { httpError } from "../../../shared/ground/errors.ts";
import { PARQUET_TYPE } from "../../../shared/text/metadata/described-work.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { openFileToRead } from "../../http/counted-reads.ts";
import { allowOtherOrigins, allowPreflight, countPublicRequest, publicFor } from "../../http/public-route.ts";
import { DOWNLOAD_TIMEOUT_MS, sendStoredForm } from "../../http/send-file.ts";
import { describeTableAnswer, ROWS_CODES, refuseRows, textOfQuery } from "../../http/table-export.ts";
import { ParquetParameters } from "../../openapi/schemas.ts";

const URL_OF_PARQUET = "/media/:asset/rows/all.parquet";
const CACHING = publicFor(60);
/** Readers come back after so long: most files take less. */
const RETRY_SECONDS = 2;

/**
 * A published table as Parquet. Readers fetch it in dozens of ranges, so that, as of a download, its bytes count towards
 * no limit of requests; asking for a file that is not made yet does.
 */
export const addParquetRoute: RouteGroup = (app, context) => {
  context.routes.push({
    ...{ method: "GET", url: URL_OF_PARQUET, audience: "public", bucket: "rows" },
    summary: "A published table as Parquet",
    tag: "Public",
    query: ParquetParameters,
    answers: { 200: null },
    disclosed: true,
    mediaTypes: [PARQUET_TYPE],
    codes: ROWS_CODES,
    httpErrors: [416],
  });
  allowPreflight(app, URL_OF_PARQUET);
  app.get(URL_OF_PARQUET, { handlerTimeout: DOWNLOAD_TIMEOUT_MS }, async (request, reply) => {
    allowOtherOrigins(reply);
    const { asset } = request.params as { asset: string };
    const file = await openFileToRead(context.deps, { request, reply }, asset, "rows");
    return await sendParquet(context, file, request, reply);
  });
};

async function sendParquet(
  context: RouteContext,
  file: DisclosedFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { deps } = context;
  const found = await findPublicParquet(deps, file, new URLSearchParams(textOfQuery(request)));
  if (!found.ok) throw refuseRows(found);
  const { stored, filename } = found;
  if (stored === null) {
    await countPublicRequest(context, "rows", { agentId: null, address: request.ip }, reply);
    await hurryParquet(deps, file.asset_id);
    throw httpError(
      503,
      "The Parquet file of this table is being made; ask again in a moment.",
      RETRY_SECONDS,
    );
  }
  reply.headers(describeTableAnswer(file, stored.content_sha256, CACHING));
  const { file_id: key, bytes } = stored;
  const form = { key, filename, bytes, type: PARQUET_TYPE, sha256: stored.content_sha256 };
  return await sendStoredForm(context, form, request, reply);
}
