import { createHash, randomBytes } from "node:crypto";
import { ownerActor } from "../../shared/identity/audit/record-act.ts";
import { ABILITIES } from "../../shared/identity/credentials/abilities.ts";
import { readAuthorizationRequest } from "../../shared/identity/oauth/authorization-request.ts";
import { registerClient } from "../../shared/identity/oauth/clients.ts";
import { allowRequest } from "../../shared/identity/oauth/consent.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import type { Json, Reply } from "./agent.ts";
import { request } from "./agent.ts";
import type { OwnerDashboard } from "./owner-dashboard.ts";
import type { TestService } from "./service.ts";

export const REDIRECT = "https://app.example.org/callback";

/** A verifier with its challenge (RFC 7636). */
export function makeChallenge(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** Sends a form, as programs do. */
export async function sendOAuth(
  service: TestService,
  path: string,
  fields: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return await request(service, {
    method: "POST",
    url: path,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
  });
}

/** Registers a client and gives its id. */
export async function registerTestClient(service: TestService, body: object = {}): Promise<string> {
  const payload = { client_name: "Test Program", redirect_uris: [REDIRECT], ...body };
  const reply = await request(service, { method: "POST", url: "/oauth/register", payload });
  if (reply.status !== 201) throw new Error(`registration answered ${reply.status}: ${reply.text}`);
  return reply.json.client_id;
}

/** A request for consent as a client writes it. */
export interface Asked {
  clientId: string;
  url: string;
  verifier: string;
}

/** Writes a request for consent; `more` replaces or, with null, leaves out a parameter. */
export function askConsent(clientId: string, more: Record<string, string | null> = {}): Asked {
  const { verifier, challenge } = makeChallenge();
  const parameters = {
    ...{ response_type: "code", client_id: clientId, redirect_uri: REDIRECT, state: "a-state" },
    ...{ code_challenge: challenge, code_challenge_method: "S256" },
    ...more,
  };
  const sent = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  return { clientId, verifier, url: `/oauth/authorize?${new URLSearchParams(sent)}` };
}

/** The fields of the form by which an owner allows everything. */
export function allowAll(agentId: string, more: Record<string, string> = {}): Record<string, string> {
  const abilities = ["agent:read", "profile:write", "profile:publish", "creations:read"];
  const rest = ["creations:write", "creations:publish", "assets:read", "assets:write"];
  const ticks = [...abilities, ...rest].map((ability) => [`may-${ability}`, "yes"]);
  return { decision: "allow", agent: agentId, days: "90", ...Object.fromEntries(ticks), ...more };
}

/** The members that an answer at a redirect address carries. */
export function readAnswer(reply: Reply): Record<string, string> {
  const { location } = reply.headers;
  if (typeof location !== "string") throw new Error(`no redirect but ${reply.status}: ${reply.text}`);
  return Object.fromEntries(new URL(location).searchParams);
}

/** Exchanges a code. */
export async function exchange(service: TestService, asked: Asked, code: string, more = {}): Promise<Reply> {
  return await sendOAuth(service, "/oauth/token", {
    ...{ grant_type: "authorization_code", code, client_id: asked.clientId },
    ...{ redirect_uri: REDIRECT, code_verifier: asked.verifier },
    ...more,
  });
}

/** Renews tokens. */
export async function refresh(
  service: TestService,
  clientId: string,
  refreshToken: string,
  more = {},
): Promise<Reply> {
  const fields = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId };
  return await sendOAuth(service, "/oauth/token", { ...fields, ...more });
}

/** A client that an owner connected to an agent, with its first tokens. */
export interface Connected {
  clientId: string;
  access: string;
  refresh: string;
  answer: Json;
}

/** Registers a client, lets the owner allow everything, and exchanges the code. */
export async function connectClient(
  service: TestService,
  owner: OwnerDashboard,
  agentId: string,
  more: Record<string, string> = {},
): Promise<Connected> {
  const clientId = await registerTestClient(service);
  const asked = askConsent(clientId);
  const { code = "" } = readAnswer(await owner.post(asked.url, allowAll(agentId, more)));
  const reply = await exchange(service, asked, code);
  if (reply.status !== 200) throw new Error(`the exchange answered ${reply.status}: ${reply.text}`);
  const { access_token: access, refresh_token } = reply.json;
  return { clientId, access, refresh: refresh_token, answer: reply.json };
}

/** What an owner allows without a browser: a code for everything, for a client that just registered. */
export async function allowDirectly(
  deps: Deps,
  { ownerId, agentId }: { ownerId: string; agentId: string },
): Promise<{ clientId: string; code: string; verifier: string }> {
  const { client_id: clientId } = await registerClient(deps, { redirect_uris: [REDIRECT] });
  const { url, verifier } = askConsent(clientId);
  const parameters = Object.fromEntries(new URL(url, "http://localhost").searchParams);
  const asked = await readAuthorizationRequest(deps, parameters, async () => undefined);
  if ("answer" in asked) throw new Error(`the request is faulty: ${asked.answer}`);
  const consent = { agentId, newAgent: null, abilities: ABILITIES, days: null };
  const answer = await allowRequest(deps, ownerActor(ownerId, null), ownerId, asked, consent);
  return { clientId, verifier, code: new URL(answer).searchParams.get("code") ?? "" };
}
