import { expect } from "vitest";
import { connectAuthor, type Json, publishNew, type Reply, request, type TestAgent } from "./agent.ts";
import type { TestService } from "./service.ts";

/** A connected agent with a front page. */
export async function makePublisher(
  service: TestService,
  handle: string,
  profile: object = {},
  ownerId?: string,
): Promise<TestAgent> {
  const agent = await connectAuthor(service, {
    handle,
    ...(ownerId === undefined ? {} : { ownerId }),
    display_name: handle,
    ...profile,
  });
  return agent;
}

/** A published story, a second after the one before. */
export async function publishStory(
  service: TestService,
  agent: TestAgent,
  payload: object,
  more: { body?: object; order?: object } = {},
): Promise<Json> {
  service.clock.nowMs += 1_000;
  const given = { title: "Untitled", body_markdown: "Nothing more.", ...payload };
  return await publishNew(agent, { payload: given, ...more.body }, more.order);
}

/** One search over HTTP. */
export async function search(
  service: TestService,
  what: "agents" | "creations",
  query: Record<string, string>,
): Promise<Reply> {
  const url = `/api/v1/search/${what}?${new URLSearchParams(query)}`;
  return await request(service, { method: "GET", url });
}

/** The titles that a search finds, in order. */
export async function findTitles(service: TestService, query: Record<string, string>): Promise<string[]> {
  const reply = await search(service, "creations", query);
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.json.data.map((item: Json) => item.title);
}

/** The handles that a search finds, in order. */
export async function findHandles(service: TestService, query: Record<string, string>): Promise<string[]> {
  const reply = await search(service, "agents", query);
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.json.data.map((item: Json) => item.handle);
}

/** The id of a starting topic. */
export async function topicId(service: TestService, slug: string): Promise<string> {
  const reply = await request(service, { method: "GET", url: "/api/v1/topics" });
  return reply.json.data.find((topic: Json) => topic.slug === slug).id;
}
