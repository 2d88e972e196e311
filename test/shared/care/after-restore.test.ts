import { join } from "node:path";
import { expect, test } from "vitest";
import { createBackup } from "../../../shared/care/backup/create.ts";
import { restoreBackup, resumeService } from "../../../shared/care/backup/restore.ts";
import { examine } from "../../../shared/care/doctor/examine.ts";
import { sweepAll } from "../../../shared/care/sweeps.ts";
import { mailSignInLink } from "../../../shared/identity/sign-in/sign-in-links.ts";
import { sendRequest } from "../../../shared/platform/outbound/send-request.ts";
import { connectAuthor, makeCreation, publishNew, speakAs } from "../../support/agent.ts";
import { allow } from "../../support/allow.ts";
import { openFolder } from "../../support/close-afterwards.ts";
import { mailsTo } from "../../support/mail-folder.ts";
import { beginAll, deliverAll, makeWebhook } from "../../support/own-webhooks.ts";
import { openDashboard, signInAgain } from "../../support/owner-dashboard.ts";
import { openService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";
import { openWebhookReceiver } from "../../support/webhook-receiver.ts";

const folder = await openFolder();
const receiver = await openWebhookReceiver();
const config = { outboundAllow: allow(receiver.host), signUp: "invite" as const };
const source = await openService({ workers: false, config });
const target = await openService({ workers: false, config });
const owner = await openDashboard(source, "Nora");
const agent = await connectAuthor(source, { ownerId: owner.ownerId });
await makeWebhook(source, { ownerId: owner.ownerId, url: receiver.url });
await deliverAll(source);
const draft = await makeCreation(agent);
const publishAt = new Date(source.clock.nowMs + 60_000).toISOString();
const when = { revision_id: draft.latest_revision.id, publish_at: publishAt };
const scheduled = await agent.send("POST", `/creations/${draft.id}/schedule`, when, { ifMatch: 1 });
expect(scheduled.status).toBe(200);
await createBackup(source.deps, source.databaseUrl, join(folder, "one"));
const restored = await restoreBackup(target.deps, target.databaseUrl, join(folder, "one"), {
  keepCredentials: true,
});
const again = speakAs(target, agent);
receiver.reset();

test("every pending schedule is cancelled, says why, and its agent is told; one that is set anew is kept", async () => {
  expect(restored).toMatchObject({ cancelled_schedules: 1, removed_again: null });
  target.clock.nowMs += 120_000;
  await sweepAll(target.deps);
  const { data } = (await again.get(`/creations/${draft.id}`)).json;
  expect(data).toMatchObject({
    visibility: "private",
    lock_version: scheduled.json.data.lock_version + 1,
    scheduled_publication: { status: "cancelled", outcome_code: "restored" },
  });
  const { data: events } = (await again.get("/events")).json;
  expect(events.map(({ type, data: { outcome_code } }: typeof data) => [type, outcome_code])).toContainEqual([
    "schedule.cancelled",
    "restored",
  ]);
  const later = { ...when, publish_at: new Date(target.clock.nowMs + 60_000).toISOString() };
  const options = { ifMatch: data.lock_version };
  expect((await again.send("POST", `/creations/${draft.id}/schedule`, later, options)).status).toBe(200);
  target.clock.nowMs += 120_000;
  await sweepAll(target.deps);
  expect((await again.get(`/creations/${draft.id}`)).json.data.visibility).toBe("public");
});

test("until backup resume nothing is told to the outside but a sign-in link, and doctor says so", async () => {
  await publishNew(again);
  await beginAll(target);
  await target.deps.background.idle();
  // Whatever else may post to somebody stands still by itself.
  const post = {
    url: receiver.url,
    method: "POST",
    purpose: "webhook",
    timeoutMs: 5_000,
    mostBytes: 0,
  } as const;
  await expect(sendRequest(target.deps.outboundNetwork, post)).rejects.toMatchObject({ failure: "stopped" });
  expect(receiver.all).toEqual([]);
  const dashboard = await signInAgain(target, owner);
  await dashboard.post("/console/invitations", { invitee: "mara@example.net" });
  expect(await mailsTo(target, "mara@example.net")).toEqual([]);
  expect(await mailSignInLink(target.deps, owner.email, null)).toBe(true);
  expect((await mailsTo(target, owner.email)).map((mail) => /^Subject: .*/m.exec(mail)?.[0])).toEqual([
    "Subject: Sign in to Broadsheet",
  ]);
  const findings = await Array.fromAsync(examine(target.deps));
  expect(findings.find(({ check }) => check === "restore")).toMatchObject({
    status: "warn",
    mend: expect.stringContaining("backup resume"),
  });
  expect(await target.deps.metrics.registry.metrics()).toContain('broadsheet_mails_total{outcome="held"} 1');
});

test("backup resume says how much it lets go, and it goes", async () => {
  receiver.reset();
  const { restored_at, lets_go } = await resumeService(target.deps);
  expect([restored_at, lets_go]).toEqual([expect.any(String), { deliveries: 2 }]);
  expect(await resumeService(target.deps)).toMatchObject({ restored_at: null });
  await deliverAll(target);
  expect(receiver.received().length).toBe(2);
  const acts = await runSql(target, "SELECT actor_kind FROM audit_log WHERE action = 'backup.resume'");
  expect(acts).toEqual([{ actor_kind: "command" }]);
});
