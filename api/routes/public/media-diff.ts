import {
  answerFilesQuestion,
  exportFilesQuestion,
  readFilesQuestion,
} from "../../../shared/reading/comparisons/compare-files.ts";
import type { ExportFormat } from "../../../shared/tables/rows/text-rows.ts";
import type { RouteGroup } from "../../http/context.ts";
import { openFileToRead } from "../../http/counted-reads.ts";
import { isFresh } from "../../http/page-cache.ts";
import { publicFor } from "../../http/public-route.ts";
import {
  type AnsweredFile,
  addTableExport,
  describeTableAnswer,
  ROWS_CODES,
  refuseRows,
  tableJson,
  textOfQuery,
} from "../../http/table-export.ts";
import { DiffExportParameters, DiffParameters, FileDiff } from "../../openapi/schemas.ts";
import { openPublicRoutes } from "../open-public-routes.ts";

const CACHE_SECONDS = 60;
const CACHING = publicFor(CACHE_SECONDS);

/** What changed between the tables of two published files. */
export const addMediaDiffRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context, { bucket: "queries", cacheSeconds: CACHE_SECONDS });
  add("/media/:asset/diff", {
    summary: "What changed between two published tables: columns, rows and cells",
    query: DiffParameters,
    answers: { 200: FileDiff },
    disclosed: true,
    codes: ROWS_CODES,
    async handle({ deps, params, request, reply }) {
      const head = await openFileToRead(deps, { request, reply }, params.asset, "rows");
      const query = new URLSearchParams(textOfQuery(request));
      const asked = await readFilesQuestion(deps, head, query, "page");
      const both = joinFiles(head, asked.base);
      const headers = describeTableAnswer(both, asked.etag, CACHING);
      if (isFresh(request.headers, headers)) {
        // Before anything is read: files do not change.
        reply.headers(headers).status(304).send();
        return null;
      }
      const answer = await answerFilesQuestion(context, head, asked);
      if (!answer.ok) throw refuseRows(answer);
      return { ...tableJson(both, answer.json, request, deps.config.limits.rowsPerCall), etag: asked.etag };
    },
  });
  const addExport = (format: ExportFormat, summary: string) =>
    addTableExport(app, context, {
      ...{ of: "diff", format, bucket: "queries", summary, query: DiffExportParameters },
      ...{ cacheSeconds: CACHE_SECONDS, caching: CACHING },
      async read(head, request) {
        const query = new URLSearchParams(textOfQuery(request));
        const asked = await readFilesQuestion(context.deps, head, query, format);
        const open = () => exportFilesQuestion(context, head, asked, format);
        return { etag: asked.etag, about: joinFiles(head, asked.base), open, pagesUrl: null };
      },
    });
  addExport("csv", "Every change between two published tables, in the tabular diff format of daff");
  addExport("ndjson", "Every change between two published tables, each line an object");
};

function joinFiles(head: AnsweredFile, base: AnsweredFile): AnsweredFile {
  const statements = [...head.statements, ...base.statements];
  return { listed: head.listed && base.listed, statements };
}
