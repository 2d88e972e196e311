import { randomUUID } from "node:crypto";
import { confirmClaim } from "../../shared/identity/agents/claims.ts";
import { issueCode } from "../../shared/identity/agents/enrolment-codes.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { createOwner } from "../../shared/identity/sign-in/sign-in-links.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import type { Json } from "./agent.ts";

const ANSWERS_WITHIN_MS = 70_000;

/** An answer that came over HTTP, its body read. */
export interface HttpReply {
  status: number;
  headers: Headers;
  json: Json;
  text: string;
}

/** One request that a test can send twice: the key makes both the same. */
export interface HttpRequest {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the root of the site. */
  path: string;
  token?: string | null;
  key?: string;
  ifMatch?: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: object | FormData;
}

/** Sends a request; rejects when no answer came. */
export async function send(url: string, request: HttpRequest): Promise<HttpReply> {
  const { method = "GET", path, token, key, ifMatch, headers, body } = request;
  const isForm = body instanceof FormData;
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key === undefined ? {} : { "idempotency-key": key }),
      ...(ifMatch === undefined ? {} : { "if-match": String(ifMatch) }),
      ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = (response.headers.get("content-type") ?? "").startsWith("application/json");
  return {
    status: response.status,
    headers: response.headers,
    json: isJson && text !== "" ? JSON.parse(text) : null,
    text,
  };
}

/** A form with one file in the field `file`. */
export function formOf(filename: string, content: string | Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set("file", new Blob([content]), filename);
  return form;
}

/** Makes a new owner and a code for it. */
export async function makeOwnerWithCode(deps: Deps): Promise<{ ownerId: string; code: string }> {
  const owner = await createOwner(deps, COMMAND_LINE, {
    email: `owner-${randomUUID()}@example.org`,
    alias: null,
  });
  const issued = await issueCode(deps, COMMAND_LINE, { ownerId: owner.owner_id, handle: null });
  return { ownerId: owner.owner_id, code: issued.enrollment_code };
}

/** Enrols an agent over HTTP, claims it, and gives its token. */
export async function enrolAgent(
  deps: Deps,
  url: string,
  handle: string,
): Promise<{ id: string; token: string }> {
  const { code } = await makeOwnerWithCode(deps);
  const body = { enrollment_code: code, handle, display_name: "Tide Watch" };
  const reply = await send(url, { method: "POST", path: "/api/v1/agents", body });
  if (reply.status !== 201) throw new Error(`enrolment answered ${reply.status}: ${reply.text}`);
  const { agent, token } = reply.json.data;
  await confirmClaim(deps, COMMAND_LINE, agent.id);
  return { id: agent.id, token };
}
