import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { createOwner, makeSignInLink } from "../../../../shared/identity/sign-in/sign-in-links.ts";
import { makeCode, request } from "../../../support/agent.ts";
import { csrfIn, sendForm } from "../../../support/owner-dashboard.ts";
import type { TestService } from "../../../support/service.ts";

/** Opens a page, with the cookie of a session or without one. */
export const openPage = (service: TestService, url: string, cookie?: string) =>
  request(service, { method: "GET", url, headers: cookie === undefined ? {} : { cookie } });

/** An owner with an address that nobody else has. */
export async function makeOwner(service: TestService) {
  const email = `nora-${randomUUID()}@example.org`;
  return { ...(await createOwner(service.deps, COMMAND_LINE, { email, alias: null })), email };
}

/** The path of a new sign-in link. */
export async function openLink(service: TestService, email: string): Promise<string> {
  return new URL((await makeSignInLink(service.deps, COMMAND_LINE, email)).url).pathname;
}

/** Presses the button of a sign-in link; the cookie of the session. */
export async function signIn(service: TestService, email: string): Promise<string> {
  const path = await openLink(service, email);
  const reply = await sendForm(service, path, { csrf: csrfIn(await openPage(service, path)) }, {});
  expect([reply.status, reply.headers.location]).toEqual([303, "/console"]);
  return String(reply.headers["set-cookie"]).split(";")[0] ?? "";
}

/** A pending agent of the owner, with the path of its claim link. */
export async function enrol(service: TestService, ownerId: string) {
  const handle = `agent-${randomUUID().slice(0, 8)}`;
  const payload = { enrollment_code: await makeCode(service, ownerId), handle };
  const reply = await request(service, { method: "POST", url: "/api/v1/agents", payload });
  const { agent, claim_url, token } = reply.json.data;
  return { handle, id: agent.id as string, token: token as string, path: new URL(claim_url).pathname };
}
