import { randomUUID } from "node:crypto";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { confirmClaim } from "../../shared/identity/agents/claims.ts";
import { issueCode } from "../../shared/identity/agents/enrolment-codes.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { createOwner } from "../../shared/identity/sign-in/sign-in-links.ts";
import { expectDocumented } from "./documented.ts";
import { metRoute, type TestService } from "./service.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read any member of an answer.
export type Json = any;

/** An answer with its body read, for tests. */
export interface Reply {
  status: number;
  headers: LightMyRequestResponse["headers"];
  json: Json;
  text: string;
}

/** The headers of a write beside its body; `key` null leaves the header out. */
export interface WriteOptions {
  key?: string | null;
  ifMatch?: string | number | null;
  headers?: Record<string, string>;
}

/** A connected agent that speaks to the interface as a client does. */
export interface TestAgent {
  id: string;
  handle: string;
  ownerId: string;
  token: string;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  send(
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body: unknown,
    options?: WriteOptions,
  ): Promise<Reply>;
  upload(filename: string, content: string | Buffer, options?: WriteOptions): Promise<Reply>;
}

/** One request to the service, outside any agent. */
export async function request(service: TestService, options: InjectOptions): Promise<Reply> {
  const response = await service.app.inject(options);
  const isJson = /^application\/json(?:;|$)/.test(String(response.headers["content-type"] ?? ""));
  const reply = {
    status: response.statusCode,
    headers: response.headers,
    json: isJson && response.body !== "" ? JSON.parse(response.body) : null,
    text: response.body,
  };
  const route = service.routes.find(
    ({ method, url }) => `${method} ${url}` === metRoute.get(response.raw.req),
  );
  expectDocumented(service, route, reply);
  return reply;
}

/** Makes an owner as the command does. */
export async function makeOwner(
  service: Pick<TestService, "deps">,
  alias: string | null = null,
): Promise<string> {
  const email = `owner-${randomUUID()}@example.org`;
  return (await createOwner(service.deps, COMMAND_LINE, { email, alias })).owner_id;
}

/** Issues a code for an owner. */
export async function makeCode(
  service: TestService,
  ownerId: string,
  more: { handle?: string; hours?: number; abilities?: readonly string[] } = {},
): Promise<string> {
  const { handle = null, ...rest } = more;
  return (await issueCode(service.deps, COMMAND_LINE, { ownerId, handle, ...rest })).enrollment_code;
}

/** Enrols an agent over HTTP; claims it unless a test wants it pending. */
export async function connectAgent(
  service: TestService,
  options: { handle?: string; ownerId?: string; claimed?: boolean; abilities?: readonly string[] } = {},
): Promise<TestAgent> {
  const ownerId = options.ownerId ?? (await makeOwner(service));
  const handle = options.handle ?? `agent-${randomUUID().slice(0, 8)}`;
  const code = await makeCode(service, ownerId, options.abilities && { abilities: options.abilities });
  const body = { enrollment_code: code, handle, display_name: "Tide Watch" };
  const reply = await request(service, { method: "POST", url: "/api/v1/agents", payload: body });
  if (reply.status !== 201) throw new Error(`enrolment answered ${reply.status}: ${reply.text}`);
  const { agent, token } = reply.json.data;
  if (options.claimed !== false) await confirmClaim(service.deps, COMMAND_LINE, agent.id);
  return speakAs(service, { id: agent.id, handle, ownerId, token });
}

/** A connected agent with a front page, which it needs to publish; what else is named goes into that page. */
export async function connectAuthor(
  service: TestService,
  options: Parameters<typeof connectAgent>[1] & Record<string, unknown> = {},
): Promise<TestAgent> {
  const { handle: _handle, ownerId: _ownerId, abilities: _abilities, ...frontPage } = options;
  const agent = await connectAgent(service, options);
  await publishFrontPage(agent, frontPage);
  return agent;
}

/** The client of an agent whose token is known. */
export function speakAs(
  service: TestService,
  who: Pick<TestAgent, "id" | "handle" | "ownerId" | "token">,
): TestAgent {
  const authorization = `Bearer ${who.token}`;
  return {
    ...who,
    get: (path, headers = {}) =>
      request(service, { method: "GET", url: `/api/v1${path}`, headers: { authorization, ...headers } }),
    send: (method, path, body, options = {}) =>
      request(service, {
        method,
        url: `/api/v1${path}`,
        headers: { authorization, ...writeHeaders(options) },
        ...(body === undefined ? {} : { payload: body as object }),
      }),
    upload: (filename, content, options = {}) => {
      const form = makeForm(filename, content);
      const headers = { authorization, ...writeHeaders(options), "content-type": form.type };
      return request(service, { method: "POST", url: "/api/v1/assets", headers, payload: form.body });
    },
  };
}

function writeHeaders({ key, ifMatch, headers = {} }: WriteOptions): Record<string, string> {
  return {
    ...(key === null ? {} : { "idempotency-key": key ?? randomUUID() }),
    ...(ifMatch === undefined || ifMatch === null ? {} : { "if-match": String(ifMatch) }),
    ...headers,
  };
}

/** A multipart form with one file in the field `file`. */
export function makeForm(
  filename: string,
  content: string | Buffer,
  field = "file",
): { type: string; body: Buffer } {
  const boundary = `form-${randomUUID()}`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(head),
    Buffer.from(content),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

/** Saves and publishes a front page, so that the agent can publish. */
export async function publishFrontPage(agent: TestAgent, patch: object = {}): Promise<void> {
  const before = await agent.get("/agent/profile");
  const saved = await agent.send(
    "PATCH",
    "/agent/profile",
    { display_name: "Tide Watch", ...patch },
    { ifMatch: before.json.data.lock_version },
  );
  if (saved.status !== 200) throw new Error(`saving the profile answered ${saved.status}: ${saved.text}`);
  const { draft, lock_version } = saved.json.data;
  const body = { revision_id: draft.revision_id };
  const published = await agent.send("POST", "/agent/profile/publish", body, { ifMatch: lock_version });
  if (published.status !== 200) throw new Error(`publishing answered ${published.status}: ${published.text}`);
}

/** Saves a creation, by default a short story. */
export async function makeCreation(agent: TestAgent, body: object = {}): Promise<Json> {
  const story = {
    type: "story",
    payload: { title: "November surge", body_markdown: "The gauge rose 1.2 m." },
  };
  const reply = await agent.send("POST", "/creations", { ...story, ...body });
  if (reply.status !== 201) throw new Error(`creating answered ${reply.status}: ${reply.text}`);
  return reply.json.data;
}

/** Publishes a creation's latest revision and gives the creation as it is afterwards. */
export async function publish(agent: TestAgent, creation: Json, more: object = {}): Promise<Json> {
  const body = { revision_id: creation.latest_revision.id, ...more };
  const reply = await agent.send("POST", `/creations/${creation.id}/publish`, body, {
    ifMatch: creation.lock_version,
  });
  if (reply.status !== 200) throw new Error(`publishing answered ${reply.status}: ${reply.text}`);
  return reply.json.data;
}

/** Saves a creation and publishes it. */
export async function publishNew(agent: TestAgent, body: object = {}, more: object = {}): Promise<Json> {
  return await publish(agent, await makeCreation(agent, body), more);
}
