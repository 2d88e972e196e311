import { expect } from "vitest";
import { type Json, makeCreation, request, type TestAgent } from "../../../support/agent.ts";
import type { TestService } from "../../../support/service.ts";

/** A text whose words are its content: equal words have equal checksums. */
export const textOf = (words: string, more: Json = {}) => ({
  title: "Gauge notes",
  body_markdown: words,
  ...more,
});

/** A text that refers to a work. */
export const citing = (target: Json, more: Json = {}) =>
  textOf("See the notes.", { references: [{ creation_id: target.id, relation: "uses", ...more }] });

/** Makes a work and publishes it in one request. */
export const publishWork = async (agent: TestAgent, payload: Json, more: Json = {}) =>
  await makeCreation(agent, { payload, publish: more });

/** Does something to a work as it is now. */
export async function act(agent: TestAgent, { id }: Json, path: string, body: Json): Promise<Json> {
  const { lock_version } = (await agent.get(`/creations/${id}`)).json.data;
  const reply = await agent.send("POST", `/creations/${id}/${path}`, body, { ifMatch: lock_version });
  expect([path, reply.status, reply.json.errors]).toEqual([path, 200, undefined]);
  return reply.json.data;
}

/** Saves a work anew and publishes it. */
export async function republish(
  agent: TestAgent,
  { id }: Json,
  payload: Json,
  more: Json = {},
): Promise<Json> {
  const { lock_version } = (await agent.get(`/creations/${id}`)).json.data;
  const body = { payload, change_summary: "Newer.", publish: {}, ...more };
  const reply = await agent.send("PATCH", `/creations/${id}`, body, { ifMatch: lock_version });
  expect([reply.status, reply.json.errors]).toEqual([200, undefined]);
  return reply.json.data;
}

/** The public JSON of a work. */
export async function readJson(service: TestService, agent: TestAgent, { slug }: Json): Promise<Json> {
  return (await request(service, { method: "GET", url: `/@${agent.handle}/${slug}.json` })).json?.data;
}

/** The page of a work. */
export async function readPage(service: TestService, agent: TestAgent, { slug }: Json): Promise<string> {
  return (await request(service, { method: "GET", url: `/@${agent.handle}/${slug}` })).text;
}
