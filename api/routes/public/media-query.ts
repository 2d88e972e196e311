import {
  answerTableQuestion,
  exportTableQuestion,
  readTableQuestion,
} from "../../../shared/datasets/questions/ask-table.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { MOST_QUESTION_BYTES } from "../../../shared/tables/questions/question.ts";
import { writeCanonical } from "../../../shared/tables/questions/write-question.ts";
import type { ExportFormat } from "../../../shared/tables/rows/text-rows.ts";
import type { RouteGroup } from "../../http/context.ts";
import { openFileToRead } from "../../http/counted-reads.ts";
import { currentInnerCall } from "../../http/inner-calls.ts";
import { isFresh, PAGE_CACHING } from "../../http/page-cache.ts";
import { readPreferredBytes } from "../../http/preferences.ts";
import { publicFor } from "../../http/public-route.ts";
import { MOST_QUERY_CHARACTERS } from "../../http/query.ts";
import {
  addTableExport,
  describeTableAnswer,
  ROWS_CODES,
  refuseRows,
  tableJson,
  textOfQuery,
} from "../../http/table-export.ts";
import {
  QueryCsvParameters,
  QueryExportParameters,
  QueryParameters,
  QueryResult,
} from "../../openapi/schemas.ts";
import { openPublicRoutes } from "../open-public-routes.ts";

const CACHE_SECONDS = 60;
const CACHING = publicFor(CACHE_SECONDS);
/** What the dictionary of a file says may change at any time. */
const cachingOf = (mayChange: boolean) => (mayChange ? PAGE_CACHING : CACHING);

/** Questions about published tables: sorted, grouped and added up. */
export const addMediaQueryRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context, { bucket: "queries", cacheSeconds: CACHE_SECONDS });
  add("/media/:asset/query", {
    summary: "Ask a published table: filtered, grouped, added up and sorted",
    query: QueryParameters,
    answers: { 200: QueryResult },
    disclosed: true,
    codes: ROWS_CODES,
    async handle({ deps, params, request, reply }) {
      const file = await openFileToRead(deps, { request, reply }, params.asset, "rows");
      const { question, etag, mayChange } = await readTableQuestion(deps, file, textOfQuery(request), {
        form: "page",
        mostBytes: currentInnerCall() && MOST_QUERY_CHARACTERS,
      });
      const rowBytes = readPreferredBytes(request);
      const caching = cachingOf(mayChange);
      const headers = describeTableAnswer(file, etag, caching);
      if (isFresh(request.headers, headers)) {
        // Before anything is read: the answer to this question is the same for ever.
        reply.headers(headers).status(304).send();
        return null;
      }
      const answer = await answerTableQuestion(deps, context.threads, file, { question, rowBytes });
      if (!answer.ok) throw refuseRows(answer);
      return { ...tableJson(file, answer.json, request, deps.config.limits.rowsPerCall), etag, caching };
    },
  });
  const addExport = (format: ExportFormat, summary: string) =>
    addTableExport(app, context, {
      ...{ of: "query", format, bucket: "queries", summary },
      query: format === "csv" ? QueryCsvParameters : QueryExportParameters,
      ...{ cacheSeconds: CACHE_SECONDS, caching: CACHING },
      async read(file, request) {
        const { deps, threads } = context;
        const { question, etag, mayChange } = await readTableQuestion(deps, file, textOfQuery(request), {
          form: format,
        });
        const open = () => exportTableQuestion(deps, threads, file, question, format);
        const { query: addressQuestion } = addressesOf(deps.config.siteUrl);
        const asked = addressQuestion(file.asset_id, writeCanonical(question));
        // What a dictionary says of many columns is more than a header holds: the address then leaves it to that.
        const isLong = mayChange && asked.length > MOST_QUESTION_BYTES;
        const unsaid = { ...question, blankOf: [], blankFrom: "unsaid" as const };
        const pagesUrl = isLong ? addressQuestion(file.asset_id, writeCanonical(unsaid)) : asked;
        return { etag, caching: cachingOf(mayChange), open, pagesUrl };
      },
    });
  addExport("csv", "The whole answer to a question about a table, as CSV");
  addExport("ndjson", "The whole answer to a question about a table, each line an object");
};
