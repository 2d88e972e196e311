import { randomUUID } from "node:crypto";
import { type Json, type Reply, request } from "../../support/agent.ts";
import type { TestService } from "../../support/service.ts";

export const MODERN = "2026-07-28";
export const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

export interface RpcOptions {
  token?: string | undefined;
  headers?: Record<string, string>;
  url?: string;
}

/** One raw message to the tool server, its headers as given and no others. */
export function post(service: TestService, body: unknown, options: RpcOptions = {}): Promise<Reply> {
  const { token, headers = {}, url = "/mcp" } = options;
  return request(service, {
    method: "POST",
    url,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    payload: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** A request of the older era. */
export function legacy(service: TestService, method: string, params: object, options: RpcOptions = {}) {
  return post(service, { jsonrpc: "2.0", id: 1, method, params }, options);
}

/** A request of the newer era with everything that it must carry. */
export function modern(service: TestService, method: string, params: Json = {}, options: RpcOptions = {}) {
  const name = params.name ?? params.uri;
  return post(
    service,
    { jsonrpc: "2.0", id: "a-1", method, params: { ...params, _meta: META } },
    {
      ...options,
      headers: {
        "mcp-protocol-version": MODERN,
        "mcp-method": method,
        ...(name === undefined ? {} : { "mcp-name": name }),
        ...options.headers,
      },
    },
  );
}

/** What a tool call comes to: its JSON, and whether it was refused. */
export interface Outcome {
  isError: boolean;
  /** The text of the result, read. */
  json: Json;
  structured: Json;
}

/** Calls a tool in the newer era; fails unless the answer is a tool result. */
export async function call(
  service: TestService,
  token: string | undefined,
  name: string,
  args: unknown = {},
): Promise<Outcome> {
  const reply = await modern(service, "tools/call", { name, arguments: args }, { token });
  if (reply.json.result === undefined) {
    throw new Error(`${name} answered ${reply.status}: ${reply.text}`);
  }
  const { content, structuredContent, isError } = reply.json.result;
  return { isError, json: JSON.parse(content[0].text), structured: structuredContent };
}

/** The two members that most writers take. */
export function keyed(lockVersion: number) {
  return { lock_version: lockVersion, idempotency_key: randomUUID() };
}
