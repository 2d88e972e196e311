import { beforeEach, expect, test } from "vitest";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { METADATA_NAMES } from "../../../shared/reading/metadata/documents.ts";
import { CITATION_FILES } from "../../../shared/text/citations/citation.ts";
import { removeContent } from "../../../shared/works/creations/take-down.ts";
import {
  connectAgent,
  makeCreation,
  publish,
  publishFrontPage,
  publishNew,
  request,
} from "../../support/agent.ts";
import { fence, HEIGHT } from "../../support/chart-story.ts";
import { uploadReady } from "../../support/inspection.ts";
import { topicId } from "../../support/search-site.ts";
import { openService } from "../../support/service.ts";
import { runSql, setAgentTimestamp, setOwnerStatus } from "../../support/tables.ts";
import { act, revise } from "../../support/work-acts.ts";

const closedAt = new Date("2026-11-20T08:00:00Z");

// No worker runs: what readers see is right before any of them did anything.
const service = await openService({ workers: false });
const agent = await connectAgent(service, { handle: "tidewatch" });
const other = await connectAgent(service, { handle: "reader-one" });
await publishFrontPage(agent, {
  sections: [{ slug: "reports", name: "Reports" }],
  topic_ids: [await topicId(service, "climate")],
});
await publishFrontPage(other, { linked_agent_ids: [agent.id] });
const assetId = (await uploadReady(service, agent, "readings.csv", "station,height_m\nHusum,4\n")).id;
const attachments = [{ asset_id: assetId, label: "Readings" }];
const payload = { title: "Gauge notes", attachments };
const dataset = await publishNew(agent, { type: "dataset", section: "reports", payload });
const chart = { title: "Gauge chart", body_markdown: fence(HEIGHT) };
const works = [dataset, await publishNew(agent, { payload: chart })];
const references = [{ creation_id: dataset.id, relation: "cites" }];
await publishNew(other, { payload: { title: "Citing", body_markdown: "b", references } });

beforeEach(async () => {
  await runSql(
    service,
    "UPDATE agents SET paused_at = NULL, suspended_at = NULL, archived_at = NULL, homepage_hidden_at = NULL",
  );
  await runSql(service, "UPDATE owners SET status = 'active'");
  await runSql(service, "UPDATE creations SET hidden_at = NULL");
});

const get = (url: string, headers: Record<string, string> = {}) =>
  request(service, { method: "GET", url, headers });
const status = async (url: string) => (await get(url)).status;
const FRONT = [
  "/@tidewatch",
  "/@tidewatch/profile.json",
  "/@tidewatch.md",
  "/@tidewatch/feed.xml",
  "/@tidewatch/profile/feed.json",
  "/@tidewatch/section/reports",
  "/@tidewatch/section/reports/feed.xml",
  "/@tidewatch/section/reports/feed.json",
];
const WORK = [
  ...["", ".json", ".md", "/revisions", "/revisions/1", "/revisions.json", "/revisions/1.json"],
  ...[
    "/revisions/1.md",
    "/revisions/1..1",
    "/revisions/1..1.json",
    "/changes.xml",
    "/changes.json",
    "/files/1",
  ],
  ...[...CITATION_FILES, ...METADATA_NAMES].flatMap((name) => [`/${name}`, `/revisions/1/${name}`]),
]
  .map((end) => `/@tidewatch/gauge-notes${end}`)
  .concat(["", ".svg", ".png", ".csv", ".json"].map((end) => `/@tidewatch/gauge-chart/charts/1${end}`))
  .concat(
    [
      ...["readings.csv", "rows", "rows/all.csv", "rows/all.ndjson", "stats"],
      ...["query", "query/all.csv", `diff?base=${assetId}`, `diff/all.csv?base=${assetId}`],
    ].map((end) => `/media/${assetId}/${end}`),
  );
const LISTS = [
  ...["/", "/feed.xml", "/feed.json", "/@reader-one/citing.json", "/@reader-one/citing"],
  ...["/search?query=gauge", "/topics/climate", "/sitemaps/works-2026-11-1.xml"],
  ...["", "?query=gauge", "?topic=climate"].map((query) => `/api/v1/search/creations${query}`),
];
const AGENTS = ["/api/v1/search/agents?query=tidewatch", "/sitemaps/agents-2026-11-1.xml"];

/** The entity tag of each address while it was open. */
const etags = new Map<string, string>();

/** What an address answers, also to who knows what it answered before. */
async function ask(url: string): Promise<number[]> {
  const { status, headers } = await get(url);
  if (status === 200) etags.set(url, String(headers.etag));
  return [status, (await get(url, { "if-none-match": etags.get(url) ?? "" })).status];
}

const askAll = async (urls: readonly string[]) =>
  [...new Set((await Promise.all(urls.map(ask))).map(String))].toSorted();
const findIn = async (urls: readonly string[], words: string) => [
  ...new Set(await Promise.all(urls.map(async (url) => (await get(url)).text.includes(words)))),
];
/** What search engines are told at each address, also whoever knows its answer. */
const robotsOf = async (urls: readonly string[]) => {
  const told = await Promise.all(
    urls.map(async (url) => {
      const { headers } = await get(url);
      const known = await get(url, { "if-none-match": String(headers.etag) });
      return [headers["x-robots-tag"], known.headers["x-robots-tag"]];
    }),
  );
  return [...new Set(told.flat())];
};
const look = async () => ({
  front: await askAll(FRONT),
  work: await askAll(WORK),
  listed: await findIn(LISTS, "gauge-notes"),
  named: await findIn(AGENTS, "@tidewatch"),
});
const OPEN = { front: ["200,304"], work: ["200,304"], listed: [true], named: [true] };
const CLOSED = { front: ["404,404"], work: ["404,404"], listed: [false], named: [false] };

test("everything is open to begin with, and a pause closes nothing to readers", async () => {
  // What the first reader of a page finds missing, such as statistics, is made behind the answer.
  await expect.poll(look, { timeout: 80_000 }).toEqual(OPEN);
  await setAgentTimestamp(service, agent.id, "paused_at", closedAt);
  expect(await look()).toEqual(OPEN);
});

test.each(["suspended_at", "archived_at"] as const)(
  "%s of the agent closes all of it at once",
  async (column) => {
    await setAgentTimestamp(service, agent.id, column, closedAt);
    expect(await look()).toEqual(CLOSED);
    const reply = await agent.get("/agent");
    const expected = column === "archived_at" ? [401, "unauthenticated"] : [403, "agent_suspended"];
    expect([reply.status, reply.json.code]).toEqual(expected);
  },
);

test.each(["suspended", "left"])("an owner who is %s closes all of it at once", async (owner) => {
  await setOwnerStatus(service, agent.ownerId, owner);
  expect(await look()).toEqual(CLOSED);
  const reply = await agent.get("/agent");
  expect([reply.status, reply.json.code]).toEqual([403, "owner_suspended"]);
});

test("a hidden front page is closed with its feeds, its creations stay", async () => {
  await setAgentTimestamp(service, agent.id, "homepage_hidden_at", closedAt);
  expect(await look()).toEqual({ ...OPEN, front: CLOSED.front, named: [false] });
  expect((await agent.get("/agent")).json.data.homepage_status).toBe("hidden");
});

const OFF_THE_LISTS = { ...OPEN, listed: [false] };

test("a hidden creation is closed with its file and leaves every list, the front page stays", async () => {
  await runSql(service, "UPDATE creations SET hidden_at = $2 WHERE agent_id = $1", [agent.id, closedAt]);
  expect(await look()).toEqual({ ...OFF_THE_LISTS, work: CLOSED.work });
  expect(await findIn(FRONT, "gauge-notes")).toEqual([false]);
  const own = (await agent.get(`/creations/${dataset.id}`)).json.data;
  expect([own.public_url, own.visibility]).toEqual([null, "public"]);
});

test("an unlisted creation leaves the lists alone, and an unpublished one is closed until it is restored", async () => {
  const actOnAll = async (action: string, body: object) => {
    for (const work of works) await act(agent, work, action, body);
  };
  expect(await robotsOf(WORK)).toEqual([undefined]);
  await actOnAll("visibility", { visibility: "unlisted" });
  expect(await look()).toEqual(OFF_THE_LISTS);
  expect(await robotsOf(WORK)).toEqual(["noindex"]);
  expect(await findIn(FRONT, "gauge-notes")).toEqual([false]);
  await actOnAll("unpublish", {});
  expect(await look()).toEqual({ ...OFF_THE_LISTS, work: CLOSED.work });
  expect(await findIn(FRONT, "gauge-notes")).toEqual([false]);
  await actOnAll("restore", { revision_id: 1 });
  expect(await look()).toEqual(OPEN);
});

test("a private creation is closed, and what referred to it no longer shows it", async () => {
  const draft = await makeCreation(other, {
    payload: { title: "Only a draft", body_markdown: "secret words" },
  });
  const references = [{ creation_id: draft.id, relation: "uses" }];
  await publishNew(other, { payload: { title: "Second citing", body_markdown: "b", references } });
  for (const url of ["/@reader-one/only-a-draft", "/@reader-one/only-a-draft.json"])
    expect(await status(url)).toBe(404);
  const citing = await request(service, { method: "GET", url: "/@reader-one/second-citing.json" });
  expect(citing.json.data.references).toEqual([]);
  for (const url of ["/", "/feed.xml", "/@reader-one", "/@reader-one/feed.xml", "/@reader-one/profile.json"])
    expect((await request(service, { method: "GET", url })).text).not.toContain("only-a-draft");
});

test("content that is removed leaves each address of its revision at once, and no other revision", async () => {
  const body_markdown = `Wordhoard.\n\n${fence({ ...HEIGHT, title: "Wordhoard" })}`;
  const first = await publishNew(agent, { slug: "hoard", payload: { title: "Wordhoard", body_markdown } });
  await revise(agent, first, { payload: { title: "Counts", body_markdown: fence(HEIGHT) } });
  const read = async (url: string) => {
    const { status, text } = await get(`/@tidewatch/hoard${url}`);
    return [url, status, text.includes("Wordhoard")];
  };
  const at = "/revisions/1";
  const KEPT = ["", ".json", ".md"].map((end) => at + end).concat("/revisions.json", "/changes.xml");
  const REMOVED = [
    ...["1..2", "1..2.json", "2..1", "1..1.json"].map((pair) => `/revisions/${pair}`),
    ...CITATION_FILES.filter((name) => name !== "citation.cff").map((name) => `${at}/${name}`),
  ];
  const MISSING = ["", ".svg", ".png", ".csv", ".json"].map((end) => `${at}/charts/1${end}`);
  for (const url of [...KEPT, ...REMOVED, ...MISSING])
    expect((await read(url)).slice(0, 2)).toEqual([url, 200]);
  await removeContent(service.deps, COMMAND_LINE, first.latest_revision.id, "owner");
  for (const url of KEPT) expect(await read(url)).toEqual([url, 200, false]);
  for (const url of REMOVED) expect(await read(url)).toEqual([url, 409, false]);
  for (const url of MISSING) expect(await read(url)).toEqual([url, 404, false]);
  for (const url of ["", "/cite.bib", "/charts/1.svg"]) expect(await read(url)).toEqual([url, 200, false]);
});

test("a suspended agent is no longer among the linked ones, nor counted", async () => {
  expect((await request(service, { method: "GET", url: "/@reader-one" })).text).toContain("/@tidewatch");
  await setAgentTimestamp(service, agent.id, "suspended_at", closedAt);
  expect((await request(service, { method: "GET", url: "/@reader-one" })).text).not.toContain("/@tidewatch");
  expect((await request(service, { method: "GET", url: "/" })).text).not.toContain("/@tidewatch");
});

test("a file that only a draft uses is closed, and one of a removed revision too", async () => {
  const { id } = await uploadReady(service, agent, "draft.csv", "a\n1\n");
  const payload = { title: "Draft file", attachments: [{ asset_id: id, label: "Table" }] };
  const addresses = ["draft.csv", "rows", "stats", "query"].map((end) => `/media/${id}/${end}`);
  const draft = await makeCreation(agent, { type: "dataset", payload });
  expect(await Promise.all(addresses.map(status))).toEqual([404, 404, 404, 404]);
  await publish(agent, draft);
  expect(await Promise.all(addresses.map(status))).toEqual([200, 200, 200, 200]);
  await runSql(service, "UPDATE creation_revisions SET files_deleted_at = $2 WHERE creation_id = $1", [
    draft.id,
    closedAt,
  ]);
  expect(await Promise.all(addresses.map(status))).toEqual([404, 404, 404, 404]);
});
