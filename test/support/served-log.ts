import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { send } from "./http-agent.ts";
import { readEntries } from "./log.ts";

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
