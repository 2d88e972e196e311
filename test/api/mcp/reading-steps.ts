import { randomUUID } from "node:crypto";
import { read, type Step, UNKNOWN, type Walk } from "./step.ts";

const UPLOAD_KEY = randomUUID();

/** Uploaded files. */
export const ASSETS: Step[] = [
  ...[
    ["wrong arguments", { filename: "c.pdf", bytes: 1 }, randomUUID()] as const,
    ["good", { filename: "c.csv", bytes: 9 }, UPLOAD_KEY] as const,
    ["another request with the same key", { filename: "d.csv" }, UPLOAD_KEY] as const,
  ].map(
    ([says, body, key]): Step => ({
      tool: "create_upload",
      says,
      args: () => ({ ...body, idempotency_key: key }),
      rest: () => ({ method: "POST", path: "/uploads", body, key }),
    }),
  ),
  read("get_asset", "good", ({ assetId }) => [{ asset_id: assetId }, `/assets/${assetId}`]),
  read("get_asset", "an unknown one", () => [{ asset_id: UNKNOWN }, `/assets/${UNKNOWN}`]),
  read("list_assets", "good", () => [{ per_page: 1, page: 2 }, "/assets?per_page=1&page=2"]),
  read("list_assets", "no hash", () => [{ content_sha256: "x" }, "/assets?content_sha256=x"]),
  ...[
    ["one in use", (walk: Walk) => walk.usedAssetId] as const,
    ["good", (walk: Walk) => walk.assetId] as const,
    ["one that is gone", (walk: Walk) => walk.assetId] as const,
  ].map(
    ([says, id]): Step => ({
      tool: "delete_asset",
      says,
      args: (walk) => ({ asset_id: id(walk) }),
      rest: (walk) => ({ method: "DELETE", path: `/assets/${id(walk)}`, key: null }),
    }),
  ),
];

const rows = (walk: Walk) => `@/media/${walk.other.rowsAssetId}/rows`;

const query = (walk: Walk) => `@/media/${walk.other.rowsAssetId}/query`;

/** What anybody may read. */
export const PUBLIC: Step[] = [
  read("list_topics", "good", () => [{}, "/topics"]),
  read("list_docs", "good", () => [{}, "/docs?audience=agents&fields=summary"]),
  read("read_doc", "good", () => [{ page: "errors" }, "/docs/errors"]),
  read("read_doc", "an unknown section", () => [
    { page: "publishing", section: "x" },
    "/docs/publishing?section=x",
  ]),
  read("read_agent", "good", ({ other }) => [
    { handle: `@${other.handle}` },
    `@/@${other.handle}/profile.json`,
  ]),
  read("read_agent", "an unknown one", () => [{ handle: "nobody-here" }, "@/@nobody-here/profile.json"]),
  read("read_creation", "good", ({ other }) => [
    { handle: other.handle, slug: other.slug },
    `@/@${other.handle}/${other.slug}.json`,
  ]),
  read("read_creation", "by url", ({ other }) => [
    { url: `http://localhost:3000/@${other.handle}/${other.slug}` },
    `@/@${other.handle}/${other.slug}.json`,
  ]),
  ...[".json", "/revisions/1", "/revisions/1.json", "/revisions/1.md"].map((end) =>
    read("read_creation", `by a url that ends with ${end}`, ({ other }) => [
      { url: `http://localhost:3000/@${other.handle}/${other.slug}${end}` },
      `@/@${other.handle}/${other.slug}${end.replace(/\/1.*/, "/1.json")}`,
    ]),
  ),
  read("read_creation", "a revision by handle and slug", ({ other }) => [
    { handle: other.handle, slug: other.slug, revision_number: 1 },
    `@/@${other.handle}/${other.slug}/revisions/1.json`,
  ]),
  read("read_creation", "a revision that it never had", ({ other }) => [
    { url: `http://localhost:3000/@${other.handle}/${other.slug}`, revision_number: 9 },
    `@/@${other.handle}/${other.slug}/revisions/9.json`,
  ]),
  ...["", "/revisions/1"].map(
    (end): Step => ({
      tool: "read_creation",
      says: `by its permanent address ${end}`,
      args: ({ other }) => ({ url: `http://localhost:3000/id/${other.id}${end}` }),
      rest: ({ other }) => ({ path: `@/id/${other.id}${end}`, accept: "application/json" }),
    }),
  ),
  {
    tool: "read_creation",
    says: "a revision by the id of its work",
    args: ({ other }) => ({ creation_id: other.id, revision_number: "1" }),
    rest: ({ other }) => ({ path: `@/@${other.handle}/${other.slug}/revisions/1.json` }),
  },
  {
    tool: "read_creation",
    says: "by id",
    args: ({ other }) => ({ creation_id: other.id.toLowerCase() }),
    rest: ({ other }) => ({ path: `@/id/${other.id.toLowerCase()}`, accept: "application/json" }),
  },
  read("read_dataset_rows", "good", (walk) => [
    {
      asset_id: walk.other.rowsAssetId,
      columns: ["height", "station"],
      filter: [
        { column: "height", op: "gte", value: 4 },
        { column: "station", op: "ne" },
      ],
      limit: 2,
      from: "end",
    },
    `${rows(walk)}?columns[]=height&columns[]=station&filter[0][column]=height&filter[0][op]=gte&filter[0][value]=4&filter[1][column]=station&filter[1][op]=ne&limit=2&from=end`,
  ]),
  read("read_dataset_rows", "by rows_url", (walk) => [
    { rows_url: `http://localhost:3000/media/${walk.other.rowsAssetId}/rows`, offset: 1 },
    `${rows(walk)}?offset=1`,
  ]),
  read("read_dataset_rows", "an unknown column", (walk) => [
    { asset_id: walk.other.rowsAssetId, columns: ["depth"] },
    `${rows(walk)}?columns[]=depth`,
  ]),
  // What it answers is cut for models: test/api/routes/public/media-describe.test.ts compares it with the statistics.
  read("describe_dataset", "an unknown file", () => [{ asset_id: UNKNOWN }, `@/media/${UNKNOWN}/stats`]),
  read("describe_dataset", "an unknown work", () => [
    { handle: "nobody", slug: "nothing" },
    "@/@nobody/nothing.json",
  ]),
  read("query_dataset_rows", "good", (walk) => [
    {
      asset_id: walk.other.rowsAssetId,
      group: [{ column: "station" }],
      aggregate: [{ op: "max", column: "height" }],
      sort: [{ column: "max_height", order: "desc" }],
      filter: [{ column: "height", op: "gt", value: 0 }],
    },
    `${query(walk)}?group[0][column]=station&aggregate[0][op]=max&aggregate[0][column]=height&sort[0][column]=max_height&sort[0][order]=desc&filter[0][column]=height&filter[0][op]=gt&filter[0][value]=0&limit=50`,
  ]),
  read("query_dataset_rows", "by query_url", (walk) => [
    {
      query_url: `http://localhost:3000/media/${walk.other.rowsAssetId}/query`,
      facet: ["station"],
    },
    `${query(walk)}?facet[]=station&limit=50`,
  ]),
  read(
    "query_dataset_rows",
    "by query_url with a question, such as that of a chart, and the page of its answer",
    (walk) => [
      {
        query_url: `http://localhost:3000/media/${walk.other.rowsAssetId}/query?question=${encodeURIComponent('{"sort":[{"column":"height","order":"desc"}],"limit":2}')}`,
        limit: 1,
        offset: 1,
      },
      `${query(walk)}?sort[0][column]=height&sort[0][order]=desc&limit=1&offset=1`,
    ],
  ),
  read("query_dataset_rows", "by query_url with parameters", (walk) => [
    {
      query_url: `http://localhost:3000/media/${walk.other.rowsAssetId}/query?filter[0][column]=height&filter[0][op]=gt&filter[0][value]=4&columns[]=height`,
    },
    `${query(walk)}?filter[0][column]=height&filter[0][op]=gt&filter[0][value]=4&columns[]=height&limit=50`,
  ]),
  read("query_dataset_rows", "wrong members", (walk) => [
    { asset_id: walk.other.rowsAssetId, group: [{ by: "day" }], limit: 0 },
    `${query(walk)}?group[0][by]=day&limit=0`,
  ]),
  read("diff_rows", "good", ({ other: { rowsAssetId: id } }) => [
    { base_asset_id: id, asset_id: id, key: ["station"], limit: 1 },
    `@/media/${id}/diff?base=${id}&key[]=station&limit=1`,
  ]),
  read("diff_rows", "an unknown base", ({ other: { rowsAssetId: id } }) => [
    { base_asset_id: UNKNOWN, asset_id: id },
    `@/media/${id}/diff?base=${UNKNOWN}`,
  ]),
  read("search_agents", "good", () => [{ query: "tide", page: 1 }, "/search/agents?query=tide&page=1"]),
  read("search_agents", "an unknown topic", () => [{ topic: "none-such" }, "/search/agents?topic=none-such"]),
  read("search_creations", "good", () => [
    {
      query: "gauge",
      type: "dataset",
      has_sources: false,
      has_data: true,
      since: "2020-01-01",
      license: "mit",
      freshness: "due",
      origin: "computed",
    },
    "/search/creations?query=gauge&type=dataset&has_sources=false&has_data=true&since=2020-01-01&license=mit&freshness=due&origin=computed&fields=summary",
  ]),
  read("search_creations", "a wrong type", () => [
    { type: "novel" },
    "/search/creations?type=novel&fields=summary",
  ]),
];
