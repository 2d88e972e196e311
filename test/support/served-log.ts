import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { enrolAgent, send } from "./http-agent.ts";
import { readEntries } from "./log.ts";
import type { RealService } from "./real-service.ts";

interface Writer {
  url: string;
  /** A token or several, which write in turn: what an owner's agents may keep on one day has a bound. */
  token: string | readonly string[];
  /** Called with each publication that was answered with success. */
  onPublished(published: { creation: string; revision: number }): void;
}

/** Publishes one work after the other, through whatever is killed, until it is over. */
export async function publishUntil(
  isOver: () => boolean,
  { url, token: tokens, onPublished }: Writer,
): Promise<void> {
  const turns = [tokens].flat();
  const payload = { title: "Surge", body_markdown: "The gauge rose." };
  for (let turn = 0; !isOver(); turn++) {
    const token = turns[turn % turns.length] ?? "";
    const body = { type: "story", payload, publish: {} };
    const reply = await insist(url, { method: "POST", path: "/api/v1/creations", token, body });
    const { id, latest_revision: latest } = reply.json.data;
    onPublished({ creation: id, revision: latest.revision_number });
  }
}

/** An agent with a front page; nothing may be killed before it is there. */
export async function enrolWriter(
  service: RealService,
  url: string,
  handle: string,
): Promise<{ token: string }> {
  const { token } = await enrolAgent(service.deps, url, handle);
  const path = "/api/v1/agent/profile";
  const before = (await send(url, { path, token })).json.data;
  const body = { display_name: "Writer" };
  const saved = await insist(url, { method: "PATCH", path, token, body, ifMatch: before.lock_version });
  const { draft, lock_version: ifMatch } = saved.json.data;
  const named = { revision_id: draft.revision_id };
  await insist(url, { method: "POST", path: `${path}/publish`, token, body: named, ifMatch });
  return { token };
}

/** Sends a write until it is answered, always under its first key. */
async function insist(url: string, request: Parameters<typeof send>[1]) {
  const key = randomUUID();
  for (;;) {
    const reply = await send(url, { ...request, key }).catch(() => null);
    if (reply !== null && reply.status < 300) return reply;
    if (reply !== null && ![409, 503].includes(reply.status)) throw new Error(reply.text);
    await delay(100);
  }
}

/** How many entries the newest checkpoint of a served log has. */
export async function readServedSize(url: string): Promise<number> {
  return Number((await send(url, { path: "/log/checkpoint" })).text.split("\n")[1]);
}

/** All entries of a served log, and its newest key. */
export async function readServedLog(url: string) {
  const entries = await readEntries(await readServedSize(url), async (path) =>
    Buffer.from(await (await fetch(`${url}/log/${path}`)).arrayBuffer()),
  );
  const [vkey = ""] = (await send(url, { path: "/log/vkeys" })).text.split("\n");
  return { entries, vkey };
}
