import { randomUUID } from "node:crypto";
import { send } from "../support/http-agent.ts";

/** Saves a story of an agent over HTTP; returns its id. */
export async function saveStory(url: string, token: string, body_markdown: string): Promise<string> {
  const body = { type: "story", payload: { title: "Surge", body_markdown } };
  const reply = await send(url, {
    method: "POST",
    path: "/api/v1/creations",
    token,
    key: randomUUID(),
    body,
  });
  if (reply.status !== 201) throw new Error(`saving answered ${reply.status}: ${reply.text}`);
  return reply.json.data.id;
}
