import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import type { Json } from "../../../support/agent.ts";
import { listMails, mailsTo } from "../../../support/mail-folder.ts";
import { openDashboard, signInAgain } from "../../../support/owner-dashboard.ts";
import { runBeside } from "../../../support/run-here.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { invitationsOf, inviteFrom, linkTo, ownersOf, press } from "./sign-up-steps.ts";

const limits = { invitesPerOwner: 1000 };
const service = await openService({ workers: false, limits, config: { signUp: "invite" } });

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

test("a link that is pressed while it is withdrawn, its inviter leaves, or its address is taken, works or does not", async () => {
  for (let round = 0; round < 8; round++) {
    const [owner, other] = [await openDashboard(service), await openDashboard(service)];
    const email = makeAddress();
    await inviteFrom(owner, email);
    const path = await linkTo(service, email);
    await inviteFrom(other, email);
    const second = await linkTo(service, email, 2);
    const [{ id }] = await invitationsOf(service, owner.ownerId);
    const acts = [
      () => press(service, path),
      () => owner.post(`/console/invitations/${id}/revoke`),
      () => press(service, second),
      () => owner.post("/console/leave", { confirm: owner.email }),
      () => press(service, path),
      () => other.post("/console/sessions/end-all"),
    ];
    const begun = [...acts.slice(round % acts.length), ...acts.slice(0, round % acts.length)];
    const statuses = (await Promise.all(begun.map((act) => act()))).map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 303, 401, 403, 404].includes(status))).toEqual([]);
    expect(await ownersOf(service, email)).toHaveLength(1);
  }
});

test("operators list, find and show invitations, and withdraw one; no answer holds what opens it", async () => {
  const owner = await openDashboard(service);
  const email = makeAddress();
  await inviteFrom(owner, email);
  const path = await linkTo(service, email);
  const [{ id, secret_hash }] = await invitationsOf(service, owner.ownerId);
  const listed = (await cli("invitation", "list", "--owner", owner.email, "--state", "open")).json() as Json;
  expect(listed.data).toMatchObject([{ id, email, state: "open", owner_email: owner.email, used_at: null }]);
  const found = (await cli("invitation", "find", email.slice(0, 20))).json() as Json;
  expect(found.data).toEqual(listed.data);
  expect((await cli("invitation", "show", "--invitation", id)).json()).toEqual(listed.data[0]);
  expect(JSON.stringify(listed)).not.toContain(secret_hash);
  const withdrawn = (await cli("invitation", "revoke", "--invitation", id)).json();
  expect(withdrawn).toEqual({ invitation_id: id, status: "revoked" });
  expect((await press(service, path)).status).toBe(404);
  for (const wrong of [id, "nothing"]) {
    expect((await cli("invitation", "revoke", "--invitation", wrong)).refusal().code).toBe("not_found");
  }
  const misspelt = (await cli("invitation", "list", "--state", "opens")).refusal();
  expect(misspelt.message).toContain("Did you mean open?");
  const acts = (await cli("audit", "list", "--action", "invitation", "--subject", id)).json() as Json;
  expect(acts.data.map(({ action, actor_kind }: Json) => [action, actor_kind])).toEqual([
    ["invitation.revoke", "command"],
    ["invitation.create", "owner"],
  ]);
});
