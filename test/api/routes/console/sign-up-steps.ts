import { expect } from "vitest";
import { csrfOf } from "../../../../api/http/console-route.ts";
import { type Reply, request } from "../../../support/agent.ts";
import { mailsTo, pathIn } from "../../../support/mail-folder.ts";
import { csrfIn, type OwnerDashboard, sendForm } from "../../../support/owner-dashboard.ts";
import type { TestService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";

/** Asks for a link at the sign-in page, as a browser at an address does. */
export async function askLink(
  service: TestService,
  email: string,
  more: { from?: string; next?: string } = {},
): Promise<Reply> {
  const csrf = csrfIn(await request(service, { method: "GET", url: "/sign-in" }));
  const { from: remoteAddress = "127.0.0.1", next } = more;
  return await request(service, {
    method: "POST",
    url: "/sign-in",
    remoteAddress,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ csrf, email, ...(next === undefined ? {} : { next }) }).toString(),
  });
}

/** Sends the form that invites an address. */
export const inviteFrom = (owner: OwnerDashboard, email: string) =>
  owner.post("/console/invitations", { invitee: email });

/** The path in the newest of at least `count` mails to an address. */
export async function linkTo(service: TestService, email: string, count = 1): Promise<string> {
  await until(async () => (await mailsTo(service, email)).length >= count, 10_000);
  return pathIn((await mailsTo(service, email)).at(-1));
}

/** Presses the button of the page of a link, however long ago the page was opened. */
export async function press(
  service: TestService,
  path: string,
  more: Record<string, string> = {},
): Promise<Reply> {
  const [url = ""] = path.split("?");
  const csrf = csrfOf(url.slice("/sign-in/".length));
  return await sendForm(service, url, { csrf, ...more }, {});
}

/** Presses the button of a link that opens an account; the cookie of its session. */
export async function openAccount(service: TestService, path: string): Promise<string> {
  const reply = await press(service, path);
  expect([reply.status, reply.headers.location]).toEqual([303, "/console"]);
  return String(reply.headers["set-cookie"]).split(";")[0] ?? "";
}

/** The owners of an address. */
export const ownersOf = (service: TestService, email: string) =>
  runSql(service, "SELECT id, status FROM owners WHERE email = $1", [email]);

/** The state and the address of the mails of every invitation by an owner, oldest first. */
export const invitationsOf = (service: TestService, ownerId: string) =>
  runSql(
    service,
    "SELECT id, email, secret_hash, used_at, revoked_at FROM invitations WHERE owner_id = $1 ORDER BY id",
    [ownerId],
  );
