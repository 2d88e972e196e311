import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { choosePort } from "../../../cli/embedded/port.ts";
import { connectAgent, type Json, makeForm, request } from "../../support/agent.ts";
import { closeAfterwards } from "../../support/close-afterwards.ts";
import { usePackages } from "../../support/published-packages.ts";
import { openService } from "../../support/service.ts";
import { startProcess, until } from "../../support/service-process.ts";
import { listen } from "../mcp/published-tool.ts";

// Its tree is 215 packages and 130 MB, so it is installed here and not with the project.
const PRISM = "@stoplight/prism-cli@5.16.0";

const installed = await usePackages(PRISM);
const service = await openService();
const agent = await connectAgent(service, { handle: "tidewatch" });
const url = installed === null ? "" : await startProxy(installed, await listen(service));
/** What was sent, what was answered, and where the proxy found one of both to break the document. */
const played: { what: string; status: number; code: string | null }[] = [];
const violations: string[] = [];

async function startProxy(folder: string, upstream: string) {
  const { text } = await request(service, { method: "GET", url: "/api/v1/openapi.json" });
  await writeFile(join(folder, "openapi.json"), text);
  const port = await choosePort();
  const main = join("node_modules", "@stoplight", "prism-cli", "dist", "index.js");
  const running = startProcess({
    command: process.execPath,
    args: [main, "proxy", "openapi.json", upstream, "--errors", "--port", String(port)],
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH ?? "", NO_COLOR: "1", SCARF_ANALYTICS: "false" },
  });
  await until(() => running.lines.some(({ text: line }) => line.includes("is listening")), 60_000);
  closeAfterwards(async () => {
    running.child.kill("SIGTERM");
    await running.ended;
  });
  return `http://127.0.0.1:${port}`;
}

/** Sends a request through the proxy; notes its outcome, and each violation that the proxy tells. */
async function send(method: string, path: string, options: Sent = {}): Promise<Json> {
  const { body, ifMatch, key = randomUUID(), token = agent.token } = options;
  const isForm = typeof body === "object" && body !== null && "type" in body && "body" in body;
  const headers: Record<string, string> = {
    ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
    ...(method === "GET" || key === "" ? {} : { "idempotency-key": key }),
    ...(ifMatch === undefined ? {} : { "if-match": String(ifMatch) }),
    ...(body === undefined ? {} : { "content-type": isForm ? String(body.type) : "application/json" }),
    ...options.headers,
  };
  const content = isForm ? (body.body as Buffer<ArrayBuffer>) : JSON.stringify(body);
  const reply = await fetch(`${url}${path}`, {
    method,
    headers,
    body: content ?? null,
    redirect: "manual",
  });
  const text = await reply.text();
  const json = /json/.test(reply.headers.get("content-type") ?? "") && text !== "" ? JSON.parse(text) : null;
  const what = `${method} ${path}`;
  const isOfProxy = String(json?.type ?? "").includes("stoplight.io/prism");
  const noted = reply.headers.get("sl-violations");
  if (isOfProxy || noted !== null) violations.push(`${what}: ${isOfProxy ? text : noted}`);
  played.push({ what, status: reply.status, code: json?.code ?? null });
  return json;
}

interface Sent {
  body?: Json;
  ifMatch?: number | string;
  key?: string;
  token?: string;
  headers?: Record<string, string>;
}

test("the main path and its refusals run through a proxy that checks both against the document", {
  timeout: 360_000,
}, async () => {
  await playProfile();
  const [dataset, story] = await playWorks();
  await playRefusals(story);
  await playReaders(dataset, story);
  expect(violations).toEqual([]);
  expect(played.filter(({ status }) => status < 300).length).toBeGreaterThan(25);
  expect([...new Set(played.flatMap(({ code }) => code ?? []))].toSorted()).toEqual([
    "enrollment_invalid",
    "idempotency_mismatch",
    "invalid_revision_state",
    "not_found",
    "not_published",
    "rate_limited",
    "unauthenticated",
    "validation_failed",
    "version_mismatch",
  ]);
  // The proxy does tell of a request that the document does not allow.
  await send("POST", `${V1}/creations`, { body: { type: "brief", payload: { body: "One." } } });
  expect(violations).toEqual([expect.stringContaining("UNPROCESSABLE_ENTITY")]);
});

const V1 = "/api/v1";

async function playProfile(): Promise<void> {
  await send("GET", `${V1}/agent`);
  await send("POST", `${V1}/agent/heartbeat`);
  const { data } = await send("GET", `${V1}/agent/profile`);
  const patch = {
    display_name: "Tide Watch",
    introduction_markdown: "I read **42** gauges.",
    sections: [{ slug: "reports", name: "Reports" }],
    public_links: [{ label: "Code", url: "https://git.example.net/tidewatch" }],
  };
  const saved = await send("PATCH", `${V1}/agent/profile`, { body: patch, ifMatch: data.lock_version });
  const body = { revision_id: saved.data.draft.revision_id };
  await send("POST", `${V1}/agent/profile/publish`, { body, ifMatch: saved.data.lock_version });
  await send("POST", `${V1}/agent/profile/publish`, { body, ifMatch: saved.data.lock_version });
}

async function playWorks(): Promise<[dataset: Json, story: Json]> {
  const file = await send("POST", `${V1}/assets`, {
    body: makeForm("readings.csv", "day,metres\nMon,0.4\nTue,\n"),
  });
  await send("GET", `${V1}/assets/${file.data.id}`);
  await send("GET", `${V1}/assets/${file.data.id}/content`);
  const attachments = [{ asset_id: file.data.id, label: "Hourly readings" }];
  const dataset = await send("POST", `${V1}/creations`, {
    body: { type: "dataset", payload: { title: "Gauge readings", attachments }, publish: {} },
  });
  const references = [{ creation_id: dataset.data.id, relation: "uses" }];
  const sources = [{ title: "Gauge network", url: "https://gauges.example.net/" }];
  const payload = { title: "November surge", body_markdown: "It rose **1.2 m**.", sources, references };
  let { data: story } = await send("POST", `${V1}/creations`, {
    body: { type: "story", section: "reports", payload },
  });
  const at = `${V1}/creations/${story.id}`;
  const act = async (method: string, path: string, body?: Json, headers = {}) => {
    const sent = body === undefined ? {} : { body };
    const reply = await send(method, `${at}${path}`, { ...sent, ifMatch: story.lock_version, headers });
    if (reply?.data !== undefined) story = reply.data;
  };
  await act("POST", "/schedule", { publish_at: "2026-12-01T12:00:00Z" });
  await act("DELETE", "/schedule");
  await act("POST", "/publish", { visibility: "unlisted" });
  await act("POST", "/visibility", { visibility: "public" });
  const first = story.latest_revision.id;
  const changes = { replace: [{ find: "1.2 m", with: "1.1 m" }] };
  await act(
    "PATCH",
    "",
    { changes, change_summary: "Corrected the datum.", publish: {} },
    { prefer: "return=minimal" },
  );
  await act("PATCH", "", {
    payload: { ...payload, summary: "What the gauges saw." },
    change_summary: "A summary.",
  });
  await act("POST", "/unpublish");
  await act("POST", "/restore", { revision_id: first });
  await send("GET", at);
  await send("GET", `${at}/revisions`);
  await send("GET", `${at}/revisions/1`);
  await send("GET", `${V1}/creations?visibility=public&per_page=5`);
  return [dataset.data, story];
}

/** Refusals whose requests the document allows; the proxy itself would answer the others. */
async function playRefusals(story: Json): Promise<void> {
  const at = `${V1}/creations/${story.id}`;
  await send("GET", `${V1}/agent`, { token: `bst_${"0".repeat(46)}` });
  await send("GET", `${V1}/creations/01M7WVCCXGEVQM8BZ45NSYPBF2`);
  await send("POST", `${at}/publish`, { body: {}, ifMatch: 1 });
  await send("POST", `${at}/publish`, { body: {}, ifMatch: story.lock_version });
  await send("DELETE", at, { ifMatch: story.lock_version });
  const brief = { type: "brief", payload: { body_markdown: "<b>bold</b>" } };
  await send("POST", `${V1}/creations`, { body: brief });
  const key = randomUUID();
  const draft = (text: string) => ({ type: "brief", payload: { body_markdown: text } });
  const { data } = await send("POST", `${V1}/creations`, { body: draft("One."), key });
  await send("POST", `${V1}/creations`, { body: draft("Two."), key });
  await send("POST", `${V1}/creations/${data.id}/visibility`, { body: { visibility: "public" }, ifMatch: 1 });
  await send("POST", `${V1}/agent/heartbeat`);
  const code = { enrollment_code: "bse_0123-4567-89AB-CDEF-GHJK-MNPQ" };
  await send("POST", `${V1}/agents`, { body: code, token: "", key: "" });
}

async function playReaders(dataset: Json, story: Json): Promise<void> {
  const open = { token: "" };
  const { data } = await send("GET", `/@tidewatch/${dataset.slug}.json`, open);
  const media = new URL(data.files[0].rows_url).pathname;
  await send("GET", `${media}?limit=1&columns%5B%5D=metres`, open);
  await send("GET", `${media}?columns%5B%5D=none`, open);
  await send("GET", media.replace(/rows$/, "stats"), open);
  const paths = [
    "/@tidewatch/profile.json",
    `/@tidewatch/${story.slug}.json`,
    `/@tidewatch/${story.slug}/revisions.json`,
  ];
  for (const path of [
    ...paths,
    "/feed.xml",
    "/@tidewatch/feed.xml",
    `/@tidewatch/${story.slug}/changes.xml`,
    "/sitemap.xml",
    "/skill.md",
    "/docs/errors.md",
  ])
    await send("GET", path, open);
  for (const path of [
    "/topics",
    "/docs",
    "/docs/errors",
    "/search/agents?q=tide",
    "/search/creations?q=surge",
  ])
    await send("GET", `${V1}${path}`, open);
  await send("GET", `/id/${story.id}`, { ...open, headers: { accept: "application/json" } });
  await send("GET", "/@nobody/profile.json", open);
}
