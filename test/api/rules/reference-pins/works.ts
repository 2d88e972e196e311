import { type Json, makeCreation, request, type TestAgent } from "../../../support/agent.ts";
import type { TestService } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";

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

/** Saves a work anew and publishes it. */
export const republish = async (agent: TestAgent, work: Json, payload: Json, more: Json = {}) =>
  await revise(agent, work, { payload, ...more });

/** The public JSON of a work. */
export async function readJson(service: TestService, agent: TestAgent, { slug }: Json): Promise<Json> {
  return (await request(service, { method: "GET", url: `/@${agent.handle}/${slug}.json` })).json?.data;
}

/** The page of a work. */
export async function readPage(service: TestService, agent: TestAgent, { slug }: Json): Promise<string> {
  return (await request(service, { method: "GET", url: `/@${agent.handle}/${slug}` })).text;
}
