import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { listEntries } from "../../../../shared/care/administration/list-entries.ts";
import { eraseAgent, eraseOwner } from "../../../../shared/care/erasure/erase-agent.ts";
import { endAccount } from "../../../../shared/care/owners/leave.ts";
import { sweepErasures } from "../../../../shared/care/sweeps.ts";
import { MINUTE_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runModeratorCommand } from "../../../../shared/identity/owners/suspension.ts";
import {
  connectAgent,
  connectAuthor,
  makeCreation,
  publish,
  publishFrontPage,
  request,
  type TestAgent,
} from "../../../support/agent.ts";
import { findMarker } from "../../../support/marker.ts";
import { type OwnerDashboard, openDashboard } from "../../../support/owner-dashboard.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { listStoredFiles, runSql } from "../../../support/tables.ts";
import { type Marked, publishData, publishMarked, REASON, WORD } from "./marked.ts";

const QUEUE = "/console/moderation";
let owner: OwnerDashboard;
let agent: TestAgent;
let works: Marked;

const service = await openService();
const moderator = await openDashboard(service, "Mona");
await runModeratorCommand(service.deps, COMMAND_LINE, moderator.email, "grant");

beforeEach(async () => {
  owner = await openDashboard(service, `Nora ${WORD}`);
  agent = await connectAgent(service, { ownerId: owner.ownerId });
  await publishFrontPage(agent, {
    display_name: `The ${WORD}`,
    about_markdown: `About ${WORD}.`,
    sections: [
      { slug: "reports", name: `On ${WORD}` },
      { slug: `news-of-${WORD}`, name: "News" },
    ],
  });
  works = await publishMarked(service, agent);
  await agent.upload(`${WORD}-2.csv`, `${WORD}\n7\n`);
  await makeCreation(agent, { payload: { title: `A draft of ${WORD}`, body_markdown: "Soon." } });
  await untilJobsAreDone(service);
});

const open = async (url: string) => (await request(service, { method: "GET", url })).status;
const idsOf = async (noun: "creation" | "agent" | "owner") =>
  (await listEntries(service.deps, noun, { filters: { erased: true } })).data.map(({ id }) => id);
const actsOn = async (id: string) =>
  (
    await runSql(service, "SELECT actor_kind || ' ' || action AS act FROM audit_log WHERE subject_id = $1", [
      id,
    ])
  ).map(({ act }) => act);

test("an erased agent leaves its handle: no work, no file, no front page and no name", async () => {
  expect((await findMarker(service, WORD)).length).toBeGreaterThan(20);
  const erased = await eraseAgent(service.deps, COMMAND_LINE, agent.id, REASON);
  expect(erased).toMatchObject({ agent_id: agent.id, creations: 3 });
  expect([await open(`/@${agent.handle}`), await open(`/id/${works.story.id}`)]).toEqual([404, 404]);
  expect((await agent.get("/agent")).status).toBe(401);
  await untilJobsAreDone(service);
  const left = await findMarker(service, WORD);
  // The owner's alias is the owner's.
  expect(left.map((row) => row.split(" ")[0])).toEqual(["public.owners"]);
  expect(await listStoredFiles(service, { withParquet: true })).toEqual([]);
  const [row] = await runSql(service, "SELECT file_count, storage_bytes FROM agents WHERE id = $1", [
    agent.id,
  ]);
  expect([row.file_count, Number(row.storage_bytes)]).toEqual([0, 0]);
  expect([await idsOf("agent"), (await idsOf("creation")).includes(works.data.id)]).toEqual([
    [agent.id],
    true,
  ]);
  await expect(eraseAgent(service.deps, COMMAND_LINE, agent.id, REASON)).rejects.toThrow(/was erased at/);
  expect(await actsOn(agent.id)).toContain("command agent.erase");
  await eraseOwner(service.deps, COMMAND_LINE, owner.ownerId, REASON);
});

test("an agent whose erasure was stopped after its first step is erased whole by the sweep", async () => {
  const { pool } = service.deps;
  let transactions = 0;
  const stopped = {
    ...service.deps,
    pool: {
      ...pool,
      any: pool.any.bind(pool),
      anyFirst: async () => {
        throw new Error("the process ends here");
      },
      transaction: (...given: Parameters<typeof pool.transaction>) => {
        transactions++;
        return pool.transaction(...given);
      },
    } as typeof pool,
  };
  await expect(eraseAgent(stopped, COMMAND_LINE, agent.id, REASON)).rejects.toThrow("the process ends here");
  expect([transactions, await open(`/@${agent.handle}`)]).toEqual([1, 404]);
  expect(await findMarker(service, WORD)).not.toEqual([]);
  service.clock.nowMs += 10 * MINUTE_MS;
  expect(await sweepErasures(service.deps)).toBeGreaterThan(0);
  await eraseOwner(service.deps, COMMAND_LINE, owner.ownerId, REASON);
  await untilJobsAreDone(service);
  expect(await findMarker(service, WORD)).toEqual([]);
});

test("an erased owner leaves nothing, and one who left before is erased at once", async () => {
  const mail = { to: owner.email, subject: "A link", text: "Open it.", link: "http://localhost:3000/" };
  await service.deps.mailer.send(mail);
  await service.deps.mailer.send({ ...mail, to: moderator.email });
  const erased = await eraseOwner(service.deps, COMMAND_LINE, owner.ownerId, REASON);
  expect(erased).toMatchObject({ owner_id: owner.ownerId, agents: 1 });
  expect([await open(`/@${agent.handle}`), (await owner.get("/console/account")).text]).toEqual([
    404,
    expect.stringContaining("Sign in"),
  ]);
  await untilJobsAreDone(service);
  expect([await findMarker(service, WORD), await findMarker(service, owner.email)]).toEqual([[], []]);
  const folder = join(service.deps.config.dataDir, "mail");
  const mails = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")),
  );
  const isIn = ({ email }: OwnerDashboard) => mails.some((text) => text.includes(email));
  expect([owner, moderator].map(isIn)).toEqual([false, true]);
  expect(await idsOf("owner")).toContain(owner.ownerId);
  await expect(eraseOwner(service.deps, COMMAND_LINE, owner.ownerId, REASON)).rejects.toThrow(
    /was erased at/,
  );

  const other = await connectAuthor(service, { sections: [{ slug: "reports", name: "Reports" }] });
  await publishMarked(service, other);
  await endAccount(service.deps, COMMAND_LINE, other.ownerId);
  expect(await findMarker(service, WORD)).not.toEqual([]);
  await eraseOwner(service.deps, COMMAND_LINE, other.ownerId, REASON);
  await untilJobsAreDone(service);
  expect(await findMarker(service, WORD)).toEqual([]);
});

test("the console says once which files of an erased work stay with other works", async () => {
  const author = await connectAuthor(service);
  const { data, file } = await publishData(author);
  const attachments = [{ asset_id: file, label: "The same" }];
  const save = (title: string) => makeCreation(author, { type: "dataset", payload: { title, attachments } });
  const [published, draft] = [await publish(author, await save("Second")), await save("Third")];
  const page = (work: { id: string }) => `${QUEUE}/creations/${work.id}`;
  const fields = { sure: "yes", reason: REASON };
  const done = await moderator.post(`${page(data)}/erase`, fields);
  expect(done.status).toBe(200);
  expect(done.text).toContain("Files that stay");
  expect(done.text.split(`${WORD}.csv`)).toHaveLength(3);
  expect(done.text).toContain(`<a href="${page(published)}">@${author.handle}/${published.slug}</a>`);
  expect(done.text).toContain(`@${author.handle}/${draft.slug}, a draft`);
  expect(done.text).not.toContain(page(draft));
  expect((await moderator.get(page(data))).text).not.toContain("Files that stay");
  expect((await moderator.post(`${page(data)}/erase`, fields)).text).not.toContain("Files that stay");
  expect((await moderator.post(`${page(published)}/erase`, fields)).text).toContain("a draft");
});

test("a moderator erases in the console, sure and with a reason, and nothing of their own", async () => {
  const workPage = `${QUEUE}/creations/${works.story.id}`;
  const agentPage = `${QUEUE}/agents/${agent.id}`;
  expect((await moderator.get(workPage)).text).toContain("Erase the work");
  const unsure = await moderator.post(`${workPage}/erase`, { reason: REASON });
  expect([unsure.status, unsure.text]).toEqual([422, expect.stringContaining("Tick the box first")]);
  expect((await moderator.post(`${workPage}/erase`, { sure: "yes" })).status).toBe(422);
  expect((await owner.post(`${workPage}/erase`, { sure: "yes", reason: REASON })).status).toBe(404);
  expect(await open(`/id/${works.story.id}`)).toBe(302);
  const done = await moderator.post(`${workPage}/erase`, { sure: "yes", reason: REASON });
  expect([done.status, done.headers.location]).toEqual([303, workPage]);
  const shown = (await moderator.get(workPage)).text;
  expect(shown).toContain("A moderator erased the work");
  expect(shown).not.toMatch(/\/(decide|erase|remove)"/);
  expect(shown.toLowerCase()).not.toContain(`on ${WORD}`);
  expect((await owner.get(`/console/works/${works.story.id}`)).text).toContain(REASON);
  expect((await moderator.get(QUEUE)).text).toContain("Erased work");

  const fields = { sure: "yes", reason: REASON };
  expect((await moderator.post(`${agentPage}/erase`, { ...fields, act: "all" })).status).toBe(422);
  expect((await moderator.post(`${agentPage}/erase`, { ...fields, act: "agent" })).status).toBe(303);
  expect((await moderator.get(agentPage)).text).toMatch(/Erased · [0-9A-Z]{26}/);
  expect((await moderator.get(QUEUE)).text).toContain("Erased agent");
  expect(await actsOn(agent.id)).toContain("moderator agent.erase");

  const own = await connectAgent(service, { ownerId: moderator.ownerId });
  const refused = await moderator.post(`${QUEUE}/agents/${own.id}/erase`, { ...fields, act: "owner" });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("This is your own.")]);
  expect(await actsOn(moderator.ownerId)).not.toContain("moderator owner.erase");
  const other = await connectAgent(service);
  await moderator.post(`${QUEUE}/agents/${other.id}/erase`, { ...fields, act: "owner" });
  expect(await actsOn(other.ownerId)).toEqual(expect.arrayContaining(["moderator owner.erase"]));
});
