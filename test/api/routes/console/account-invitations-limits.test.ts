import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import type { Json } from "../../../support/agent.ts";
import { listMails, mailsTo } from "../../../support/mail-folder.ts";
import { openDashboard, signInAgain } from "../../../support/owner-dashboard.ts";
import { runBeside } from "../../../support/run-here.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { invitationsOf, inviteFrom, linkTo } from "./sign-up-steps.ts";

const service = await openService({ workers: false, config: { signUp: "invite" } });

afterEach(() => {
  service.clock.nowMs = TEST_START_MS;
});

const makeAddress = () => `mara-${randomUUID()}@example.net`;
const cli = (...args: string[]) => runBeside(service, args);

test("the answer is the same for an address that is known, blocked or new, and only the new one gets mail", async () => {
  const owner = await openDashboard(service);
  const known = await openDashboard(service);
  const [blocked, fresh] = [makeAddress(), makeAddress()];
  await cli("site", "block", "--email", blocked);
  const read = async (email: string) => {
    const reply = await inviteFrom(owner, email);
    const { "x-request-id": _id, date: _date, "content-length": _length, ...headers } = reply.headers;
    const [row] = (await invitationsOf(service, owner.ownerId)).slice(-1);
    await owner.post(`/console/invitations/${row.id}/revoke`);
    await runSql(service, "DELETE FROM invitations WHERE owner_id = $1", [owner.ownerId]);
    const text = reply.text.replaceAll(email, "E").replaceAll(row.id, "I");
    return [reply.status, text, Object.keys(headers), headers["cache-control"]];
  };
  const answers = [await read(known.email), await read(blocked), await read(fresh)];
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  await linkTo(service, fresh);
  expect([await mailsTo(service, known.email), await mailsTo(service, blocked)]).toEqual([[], []]);
});

test("of twenty at once as many are sent as the limit allows, and withdrawing gives none back", async () => {
  const owner = await openDashboard(service);
  await inviteFrom(owner, makeAddress());
  await cli("owner", "limits", "--owner", owner.ownerId, "--set", "invitesPerOwner=5");
  const replies = await Promise.all(Array.from({ length: 20 }, () => inviteFrom(owner, makeAddress())));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(4);
  expect(replies.filter(({ status }) => status === 422)).toHaveLength(16);
  const rows = await invitationsOf(service, owner.ownerId);
  expect(rows).toHaveLength(5);
  await owner.post(`/console/invitations/${rows[0].id}/revoke`);
  const more = await inviteFrom(owner, makeAddress());
  expect(more.text).toContain("You can send 5 invitations in 30 days, withdrawn ones too.");
  const shown = (await cli("owner", "show", "--owner", owner.ownerId)).json() as Json;
  expect(shown.usage.invitations_in_30_days).toEqual({ used: 5, limit: 5 });
  expect(shown.invitations.map(({ state }: { state: string }) => state).sort()).toEqual([
    ...["open", "open", "open", "open", "revoked"],
  ]);
  service.clock.nowMs = TEST_START_MS + 30 * DAY_MS;
  expect((await inviteFrom(await signInAgain(service, owner), makeAddress())).status).toBe(200);
});

test("a mailbox gets three links a day, whoever invites and whatever follows a plus sign", async () => {
  const [owner, other] = [await openDashboard(service), await openDashboard(service)];
  const name = `mara-${randomUUID()}`;
  for (const [from, part] of [
    [owner, "@"],
    [owner, "+news@"],
    [other, "@"],
    [other, "+more@"],
    [owner, "+again@"],
  ] as const) {
    expect((await inviteFrom(from, `${name}${part}example.net`)).status).toBe(200);
  }
  await linkTo(service, `${name}@example.net`, 2);
  await linkTo(service, `${name}+news@example.net`);
  const mails = await listMails(service);
  expect(mails.filter((mail) => mail.startsWith(`To: ${name}`))).toHaveLength(3);
  expect((await invitationsOf(service, owner.ownerId)).map((row) => row.secret_hash === null)).toEqual([
    ...[false, false, true],
  ]);
});
