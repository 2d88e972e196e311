/** The pages of a table and of a row with every part that they can have. */
import type { RowPageView } from "../../../api/pages/site/row-page.ts";
import type { TableFrame, TablePageView } from "../../../api/pages/site/table-view.ts";
import { DATASET, SITE, STORY } from "./samples.ts";

const FRAME: TableFrame = {
  site: SITE,
  accent: STORY.accent,
  image: { url: `https://example.org/art/${"f".repeat(64)}.png`, alt: "Tide gauges" },
  noindex: true,
  retracted: null,
  canonicalUrl: null,
  creation: {
    ...{ type: "dataset", title: DATASET.title, url: DATASET.url, revision_number: 3 },
    revisions_url: DATASET.revisions_url,
    revisions_json_url: `${DATASET.revisions_url}.json`,
  },
  profile: STORY.profile,
  managedBy: STORY.managedBy,
  file: {
    label: "Hourly readings",
    format: "json",
    bytes: 18_231,
    url: "https://example.org/media/01M7WVM8W0T8NYB19BE1ATAT9N/readings.json",
    content_sha256: "e".repeat(64),
    ...{ dictionary: null, dialect: null, canonical_sha256: null },
    ...{ notes: null, inspection: null, rows_url: null, tables: [], parquet_url: null, checks: null },
  },
  url: `${DATASET.url}/files/1`,
};

/** The page of a table that was asked a question, one part of it wrong. */
export const TABLE_PAGE: TablePageView = {
  ...FRAME,
  tabs: [
    { words: "stations", url: FRAME.url, isCurrent: true },
    { words: "operators", url: "?table=operators", isCurrent: false },
  ],
  columns: [
    { name: "station", type: "text", blanks: 0 },
    { name: "height_m", type: "number", blanks: 4 },
  ],
  rowCount: 720,
  stats: null,
  form: {
    action: FRAME.url,
    q: "Husum",
    match: "all",
    conditions: [
      { column: "station", op: "eq", value: "Husum", faults: {} },
      { column: "heigth", op: "gt", value: "", faults: { column: ["There is no such column."] } },
    ],
    columns: ["station", "height_m"],
    hidden: [["sort[0][column]", "station"]],
    faults: { q: ["Give a shorter text."], limit: ["The limit must be a whole number."] },
  },
  chips: [{ words: "station is Husum", url: FRAME.url }],
  refusal: "The question takes too long.",
  rows: {
    heads: [
      { name: "station", type: "text", sorted: "ascending", url: "?sort=station" },
      { name: "height_m", type: "number", sorted: null, url: "?sort=height_m" },
    ],
    rows: [
      { number: 51, url: "?row=51", cells: ["Husum", "4.12"] },
      { number: 52, url: "?row=52", cells: ["Büsum", null] },
    ],
    found: 118,
    offset: 50,
    total: 720,
    isGrouped: false,
    pageUrl: "?q=Husum",
    jsonUrl: "https://example.org/media/01M7WVM8W0T8NYB19BE1ATAT9N/query?q=Husum",
    csvUrl: "https://example.org/media/01M7WVM8W0T8NYB19BE1ATAT9N/query/all.csv?q=Husum",
    parquetUrl: "https://example.org/media/01M7WVM8W0T8NYB19BE1ATAT9N/rows/all.parquet",
    facets: [
      {
        column: "station",
        values: [
          { shown: "Husum", count: 80, url: "?q=Husum&station=Husum" },
          { shown: "a list", count: 8, url: null },
        ],
        blanks: { count: 30, url: "?q=Husum&station=" },
        more: { words: "3 more values", url: "?facet=station" },
      },
    ],
  },
  snippets: [{ name: "curl", code: "curl -sS 'https://example.org' # <&>" }],
  range: { shown: 2, total: 90, previousUrl: "?columns=a", nextUrl: "?columns=b" },
};

/** The page of a row with a cell that is too long for it. */
export const ROW_PAGE: RowPageView = {
  ...FRAME,
  number: 118,
  total: 720,
  table: "stations",
  cells: [
    { name: "station", type: "text", text: "Husum", wholeUrl: "https://example.org/media/x/rows?offset=117" },
    { name: "height_m", type: "number", text: null, wholeUrl: null },
  ],
  columnsLeftOut: 12,
  tableUrl: FRAME.url,
  previousUrl: "?row=117",
  nextUrl: "?row=119",
};
