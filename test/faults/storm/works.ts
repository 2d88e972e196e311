import { randomUUID } from "node:crypto";
import type { Json } from "../../support/agent.ts";
import { formOf, type HttpReply, type HttpRequest } from "../../support/http-agent.ts";
import { ask, type Client, count, settle, tryOnce, write } from "./client.ts";
import { pick } from "./faults.ts";

const ROOT = "/api/v1";
const AT_ONCE = 4;

/** An agent's way of doing one thing to its works. */
export type Play = (client: Client) => Promise<void>;

let words = 0;
/** A title whose one long word no other title has, so that search finds it alone. */
function makeTitle(): string {
  words += 1;
  const letters = words
    .toString(26)
    .replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
  return `Gauge qzx${letters}zq rose`;
}

const DRAWN = "\n\n```mermaid\nflowchart TD\n  A[Rain] --> B[Gauge]\n```\n";

function makeStory(client: Client, more: object = {}): object {
  const body = `The gauge rose ${Math.round(client.random() * 900)} mm.${client.random() < 0.4 ? DRAWN : ""}`;
  const section = client.random() < 0.3 ? { section: "gauges" } : {};
  return { ...section, ...more, payload: { title: makeTitle(), body_markdown: body } };
}

/** The agent's works as the service lists them now. */
export async function listWorks(client: Client): Promise<Json[]> {
  const reply = await ask(client, { path: `${ROOT}/creations?per_page=100` });
  return reply.status === 200 ? reply.json.data : [];
}

async function pickWork(client: Client, fits: (work: Json) => boolean): Promise<Json | null> {
  const fitting = (await listWorks(client)).filter(fits);
  if (fitting.length === 0) return null;
  const { id } = pick(client.random, fitting);
  const reply = await ask(client, { path: `${ROOT}/creations/${id}` });
  return reply.status === 200 ? reply.json.data : null;
}

const isOpen = (work: Json) => work.visibility !== "private";

/** One key, four requests at once over both APIs: one creation and one answer; another body is refused. */
export const createOnce: Play = async (client) => {
  const key = randomUUID();
  const request = {
    method: "POST" as const,
    path: `${ROOT}/creations`,
    key,
    body: makeStory(client, { type: "story" }),
  };
  const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(client, request)));
  // A pause in between refuses even what was done before it.
  const settled = replies.filter(({ json }) => json?.code !== "agent_paused");
  const first = settled[0] ?? replies[0];
  if (first === undefined) return;
  settle(client, "creation.create", request, first);
  if (new Set(settled.map(({ status, text }) => `${status} ${status < 300 ? text : ""}`)).size > 1) {
    const told = replies.map(({ status, json }) => `${status} ${json?.code ?? json?.data?.id}`);
    client.broken.push(`one key was answered in several ways: ${told.join(", ")}`);
  }
  if (first.status !== 201) return;
  const other = await ask(client, { ...request, body: makeStory(client, { type: "story" }) });
  if (other.json?.code !== "idempotency_mismatch" && other.json?.code !== "agent_paused") {
    client.broken.push(`another body under the same key answered ${other.status} ${other.json?.code}`);
  }
};

/** Of several saves on one version exactly one is taken. */
export const saveAtOnce: Play = async (client) => {
  const work = await pickWork(client, ({ type }) => type === "story");
  if (work === null) return;
  const minor = client.random() < 0.4;
  const requests = Array.from({ length: AT_ONCE }, () => ({
    method: "PATCH" as const,
    path: `${ROOT}/creations/${work.id}`,
    key: randomUUID(),
    ifMatch: work.lock_version,
    body: makeStory(client, { change_summary: "Read again.", minor }),
  }));
  const replies = await Promise.all(requests.map((request) => ask(client, request)));
  replies.forEach((reply, index) => {
    const request = requests[index];
    if (request !== undefined) settle(client, "creation.update", request, reply);
  });
  reportRace(client, "PATCH", replies);
};

function reportRace(client: Client, what: string, replies: readonly HttpReply[]): void {
  const won = replies.filter(({ status }) => status < 300).length;
  const expected = ["version_mismatch", "agent_paused"];
  const odd = replies.filter(({ status, json }) => status >= 300 && !expected.includes(json?.code));
  // A schedule that fires or a pause in between lets none of them win.
  if (won > 1) client.broken.push(`${won} of ${replies.length} ${what} on one version were taken`);
  if (odd.length > 0) {
    client.broken.push(`${what} on one version answered ${odd.map(({ json }) => json?.code).join(", ")}`);
  }
}

export const publish: Play = async (client) => {
  const work = await pickWork(client, ({ latest_revision }) => latest_revision.state !== "published");
  if (work === null) return;
  const visibility = client.random() < 0.2 ? { visibility: "unlisted" } : {};
  const body = { revision_id: work.latest_revision.id, ...visibility };
  const path = `${ROOT}/creations/${work.id}/publish`;
  const reply = await write(client, "creation.publish", { path, body, ifMatch: work.lock_version });
  if (reply.status !== 200) return;
  // Readers of every process see it from now on.
  for (const url of client.urls) {
    const shown = await tryOnce(client, { path: `/@${client.handle}/${work.slug}.json`, token: null }, url);
    if (shown !== null && shown.status < 500 && shown.json?.data?.revision_id !== undefined) continue;
    if (shown !== null && shown.status === 404)
      client.broken.push(`${work.slug} was published and answers 404`);
  }
};

/** Closed to every reader, at every address, from the answer on. */
export const unpublish: Play = async (client) => {
  const work = await pickWork(client, isOpen);
  if (work === null) return;
  const path = `${ROOT}/creations/${work.id}/unpublish`;
  const reply = await write(client, "creation.unpublish", { path, ifMatch: work.lock_version });
  if (reply.status !== 200) return;
  for (const url of client.urls) await expectGone(client, work, url);
};

async function expectGone(client: Client, work: Json, url: string): Promise<void> {
  const base = `/@${client.handle}/${work.slug}`;
  const files: Json[] = work.latest_revision.files ?? [];
  const own = [base, `${base}.json`, `${base}/revisions`, `${base}/revisions/1`];
  own.push(...files.map((file) => `/media/${file.asset_id}/rows`));
  const word = /qzx\w+zq/.exec(work.title)?.[0] ?? work.title;
  const lists = [
    "/",
    "/feed.xml",
    `/@${client.handle}`,
    `/@${client.handle}/feed.xml`,
    `/@${client.handle}/profile.json`,
  ];
  lists.push(`${ROOT}/search/creations?query=${word}`, "/sitemap.xml");
  const read = (path: string) => tryOnce(client, { path, token: null }, url);
  const [closed, shown] = await Promise.all([Promise.all(own.map(read)), Promise.all(lists.map(read))]);
  closed.forEach((reply, index) => {
    if (reply !== null && reply.status < 500 && reply.status !== 404) {
      client.broken.push(`${own[index]} was taken off the site and answers ${reply.status}`);
    }
  });
  shown.forEach((reply, index) => {
    if (reply?.status === 200 && (reply.text.includes(work.id) || reply.text.includes(`${base}"`))) {
      client.broken.push(`${lists[index]} shows ${work.slug}, which was taken off the site`);
    }
  });
}

export const changeVisibility: Play = async (client) => {
  const work = await pickWork(client, isOpen);
  if (work === null) return;
  const body = { visibility: work.visibility === "public" ? "unlisted" : "public" };
  const path = `${ROOT}/creations/${work.id}/visibility`;
  await write(client, "creation.visibility", { path, body, ifMatch: work.lock_version });
};

/** Orders a publication some seconds from now, on the storm's clock. */
export function schedule(nowMs: () => number): Play {
  return async (client) => {
    const work = await pickWork(client, ({ latest_revision }) => latest_revision.state !== "published");
    if (work === null) return;
    const publish_at = new Date(nowMs() + 9_000 + client.random() * 4_000).toISOString();
    const body = { revision_id: work.latest_revision.id, publish_at };
    const path = `${ROOT}/creations/${work.id}/schedule`;
    await write(client, "creation.schedule", { path, body, ifMatch: work.lock_version });
  };
}

export const cancelSchedule: Play = async (client) => {
  const work = await pickWork(client, (one) => one.scheduled_publication?.status === "pending");
  if (work === null) return;
  const path = `${ROOT}/creations/${work.id}/schedule`;
  const request: Omit<HttpRequest, "key"> = { method: "DELETE", path, ifMatch: work.lock_version };
  await write(client, "creation.cancel_schedule", request);
};

/** Uploads a table; every fourth is broken and must be refused or fail. Gives the id of a good one. */
export async function upload(client: Client): Promise<string | null> {
  const good = client.random() < 0.75;
  const rows = Array.from({ length: 20 }, () => `Husum,${(client.random() * 9).toFixed(2)}`).join("\n");
  const body = formOf("gauges.csv", `station,height_m\n${good ? rows : "Husum,1,2,3"}\n`);
  const reply = await write(client, "asset.upload", { path: `${ROOT}/assets`, body });
  if (!good && reply.json?.data?.readiness === "ready") client.broken.push("a broken table is ready");
  return good && reply.status === 201 ? reply.json.data.id : null;
}

export const uploadAtOnce: Play = async (client) => {
  await Promise.all([upload(client), upload(client)]);
};

/** A draft takes the file up while it is deleted: exactly one of both is true afterwards. */
export const attachOrDelete: Play = async (client) => {
  const id = await upload(client);
  if (id === null) return;
  const payload = { title: makeTitle(), attachments: [{ asset_id: id, label: "Hourly" }] };
  const attach = () =>
    write(client, "creation.create", { path: `${ROOT}/creations`, body: { type: "dataset", payload } });
  const remove = () => ask(client, { method: "DELETE", path: `${ROOT}/assets/${id}` });
  const races = client.random() < 0.5;
  const [attached, removed] = races ? await Promise.all([attach(), remove()]) : [await attach(), null];
  const after = await ask(client, { path: `${ROOT}/assets/${id}` });
  const isThere = after.status === 200;
  if (attached.status === 201 && !isThere) client.broken.push(`the attached file ${id} is gone`);
  if (removed !== null && removed.status < 300 && isThere)
    client.broken.push(`the deleted file ${id} is there`);
  if (removed !== null && removed.status >= 300) count(client.refusals, `asset.delete ${removed.json?.code}`);
};
