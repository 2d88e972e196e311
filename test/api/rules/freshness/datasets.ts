import {
  connectAuthor,
  type Json,
  publishNew,
  type Reply,
  request,
  type TestAgent,
} from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import type { TestService } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";

/** An agent with datasets, and the clock that they go by. */
export interface Publisher {
  service: TestService;
  agent: TestAgent;
}

/** An agent with a front page. */
export async function makePublisher(service: TestService, handle: string): Promise<Publisher> {
  const agent = await connectAuthor(service, { handle });
  return { service, agent };
}

/** Attachments with these contents, each a new upload. */
export async function attach({ service, agent }: Publisher, ...contents: string[]): Promise<Json[]> {
  const attachments: Json[] = [];
  for (const [at, content] of contents.entries()) {
    const { id } = await uploadReady(service, agent, `part-${at}.csv`, `day,level\n2026-11-20,${content}\n`);
    attachments.push({ asset_id: id, label: `Part ${at + 1}` });
  }
  return attachments;
}

/** A published dataset of these contents. */
export async function publishDataset(
  publisher: Publisher,
  slug: string,
  contents: readonly string[],
  members: object = { update_frequency: "daily" },
): Promise<Json> {
  const attachments = await attach(publisher, ...contents);
  const payload = { title: `Levels of ${slug}`, attachments, ...members };
  return await publishNew(publisher.agent, { type: "dataset", slug, payload });
}

/** Publishes changes to a dataset: members of its payload, or others of the request. */
export const change = async ({ agent }: Publisher, creation: Json, set: Json, more: object = {}) =>
  await revise(agent, creation, { changes: { set }, ...more });

/** The agent looked at the source. */
export async function confirm(agent: TestAgent, { id }: Json, more: object = {}): Promise<Reply> {
  return await agent.send("POST", `/creations/${id}/checked`, undefined, more);
}

/** The public JSON of a dataset. */
export async function readJson({ service, agent }: Publisher, slug: string): Promise<Json> {
  return (await request(service, { method: "GET", url: `/@${agent.handle}/${slug}.json` })).json?.data;
}

/** What the page of a dataset says of its freshness, without marks. */
export async function readWords({ service, agent }: Publisher, slug: string): Promise<string | null> {
  const { text } = await request(service, { method: "GET", url: `/@${agent.handle}/${slug}` });
  const [, words = null] = /<br>((?:Updated|Not updated)[^\n]*?)<\/span><\/p>/.exec(text) ?? [];
  return words?.replace(/<[^>]+>/g, "") ?? null;
}
