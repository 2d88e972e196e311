import { expect, test } from "vitest";
import { sweepDepartedTexts } from "../../../../shared/care/sweeps.ts";
import { sweepAgedFiles } from "../../../../shared/datasets/uploads/discard-files.ts";
import { DAY_MS, HOUR_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { showOwnerAlias } from "../../../../shared/identity/owners/alias.ts";
import { createOwner } from "../../../../shared/identity/sign-in/sign-in-links.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import {
  connectAgent,
  connectAuthor,
  makeCode,
  makeCreation,
  publishFrontPage,
  publishNew,
  request,
} from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openDashboard, signInAgain } from "../../../support/owner-dashboard.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { dumpTables, runSql } from "../../../support/tables.ts";

const service = await openService();

const open = async (url: string) => (await request(service, { method: "GET", url })).status;

test("leaving needs the address typed, ends everything at once, frees the alias and keeps files for 30 days", async () => {
  const owner = await openDashboard(service, "Leaving Nora");
  const other = await signInAgain(service, owner);
  const bystander = await connectAuthor(service);
  const agent = await connectAgent(service, { ownerId: owner.ownerId });
  const second = await connectAgent(service, { ownerId: owner.ownerId });
  for (const each of [agent, second]) await publishFrontPage(each);
  await showOwnerAlias(service.deps, COMMAND_LINE, owner.ownerId, true);
  const asset = await uploadReady(service, agent, "kept.csv", "a\n1\n");
  const attachments = [{ asset_id: asset.id, label: "Kept" }];
  const data = await publishNew(agent, { type: "dataset", payload: { title: "Kept data", attachments } });
  const draft = await makeCreation(second);
  const publish_at = new Date(service.clock.nowMs + HOUR_MS).toISOString();
  const schedule = { revision_id: draft.latest_revision.id, publish_at };
  await second.send("POST", `/creations/${draft.id}/schedule`, schedule, { ifMatch: 1 });
  const code = await makeCode(service, owner.ownerId);
  await owner.post("/console/domains", { domain: "leaving.org" });
  const pages = [
    ...[`/@${agent.handle}`, `/@${agent.handle}/${data.slug}`, `/media/${asset.id}/kept.csv`],
    ...[`/@${second.handle}`, "/owners/leaving%20nora", `/@${agent.handle}/feed.xml`],
  ];
  for (const page of pages) expect([page, await open(page)]).toEqual([page, 200]);

  for (const confirm of ["", "leave", `x${owner.email}`]) {
    const reply = await owner.post("/console/leave", { confirm });
    expect([reply.status, reply.text.includes("Type your e-mail address as it stands above.")]).toEqual([
      422,
      true,
    ]);
  }
  expect(await open(`/@${agent.handle}`)).toBe(200);
  const left = await owner.post("/console/leave", { confirm: ` ${owner.email.toUpperCase()} ` });
  expect(left.status).toBe(303);

  for (const page of pages) expect([page, await open(page)]).toEqual([page, 404]);
  for (const each of [agent, second]) expect((await each.get("/agent")).json.code).toBe("unauthenticated");
  for (const dashboard of [owner, other])
    expect((await dashboard.get("/console")).text).toContain('name="email"');
  const body = { enrollment_code: code, handle: "too-late" };
  const late = await request(service, { method: "POST", url: "/api/v1/agents", payload: body });
  expect(["owner_inactive", "enrollment_revoked"]).toContain(late.json.code);
  expect(await open(`/@${bystander.handle}`)).toBe(200);
  const [row] = await runSql(service, "SELECT * FROM owners WHERE id = $1", [owner.ownerId]);
  expect(row).toMatchObject({ status: "left", alias: null, show_alias: false, moderator: false });
  expect(row.email).toMatch(/@left\.invalid$/);
  const kept = await runSql(
    service,
    `SELECT (SELECT count(*) FROM passkeys) + (SELECT count(*) FROM domains)
       + (SELECT count(*) FROM sessions WHERE owner_id = $1 AND (address IS NOT NULL OR revoked_at IS NULL))
       + (SELECT count(*) FROM creations c JOIN agents a ON a.id = c.agent_id
          WHERE a.owner_id = $1 AND c.visibility <> 'private') AS count`,
    [owner.ownerId],
  );
  expect(Number(kept[0].count)).toBe(0);
  // Alias and address are free again.
  const again = await createOwner(service.deps, COMMAND_LINE, { email: owner.email, alias: "Leaving Nora" });
  expect(again.alias).toBe("Leaving Nora");

  service.clock.nowMs += 2 * HOUR_MS;
  await sweepDueSchedules(service.deps);
  const [cancelled] = await runSql(service, "SELECT status FROM schedules WHERE creation_id = $1", [
    draft.id,
  ]);
  expect(cancelled.status).toBe("cancelled");
  const fileOf = async () =>
    (await runSql(service, "SELECT file_deleted_at FROM assets WHERE id = $1", [asset.id]))[0];
  service.clock.nowMs += 29 * DAY_MS;
  await sweepAgedFiles(service.deps);
  expect((await fileOf()).file_deleted_at).toBe(null);
  service.clock.nowMs += 2 * DAY_MS;
  await sweepAgedFiles(service.deps);
  expect((await fileOf()).file_deleted_at).not.toBe(null);
});

test("thirty days after an owner left no text is anywhere, and others keep theirs", async () => {
  const owner = await openDashboard(service);
  const agent = await connectAgent(service, { ownerId: owner.ownerId });
  const bystander = await connectAuthor(service);
  const beside = await publishNew(bystander);
  const about_markdown = `About a wordhoard.\n\n${drawWord("about")}`;
  await publishFrontPage(agent, { about_markdown, sections: [{ slug: "wordhoard", name: "Wordhoard" }] });
  const asset = await uploadReady(service, agent, "wordhoard.csv", "wordhoard\n1\n");
  const attachments = [{ asset_id: asset.id, label: "Wordhoard" }];
  const dataset = { type: "dataset", payload: { title: "Wordhoard", attachments }, section: "wordhoard" };
  await publishNew(agent, dataset);
  for (let count = 0; count < 25; count++) {
    const payload = { title: `Wordhoard ${count}`, body_markdown: drawWord(`part${count}`) };
    await makeCreation(agent, { payload });
  }
  await untilJobsAreDone(service);
  expect(await countLinesWith("wordhoard")).toBeGreaterThan(50);
  await owner.post("/console/leave", { confirm: owner.email });
  await untilJobsAreDone(service);
  const atLeaving = await countLinesWith("wordhoard");
  service.clock.nowMs += 29 * DAY_MS;
  await sweepDepartedTexts(service.deps);
  expect(await countLinesWith("wordhoard")).toBe(atLeaving);
  service.clock.nowMs += 2 * DAY_MS;
  await sweepAgedFiles(service.deps);
  await sweepDepartedTexts(service.deps);
  await untilJobsAreDone(service);
  expect(await countLinesWith("wordhoard")).toBe(0);
  expect(await sweepDepartedTexts(service.deps)).toBe(0);
  expect(await open(`/@${bystander.handle}/${beside.slug}`)).toBe(200);
});

const drawWord = (target: string) => `\`\`\`mermaid\ngraph TD\n  wordhoard --> ${target}\n\`\`\``;

/** The rows of all tables that hold a word in any letter case. */
async function countLinesWith(word: string): Promise<number> {
  return (await dumpTables(service)).split("\n").filter((line) => line.toLowerCase().includes(word)).length;
}
