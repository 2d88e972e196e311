import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createBackup } from "../../../shared/care/backup/create.ts";
import { sweepRemovals } from "../../../shared/care/backup/removals.ts";
import { LISTED_ACTS } from "../../../shared/care/backup/remove-again.ts";
import { restoreBackup } from "../../../shared/care/backup/restore.ts";
import { addBlock, liftBlock } from "../../../shared/care/moderation/blocks.ts";
import { Refusal } from "../../../shared/ground/errors.ts";
import { runAgentCommand } from "../../../shared/identity/agents/agent-states.ts";
import { ACTS } from "../../../shared/identity/audit/act-words.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { showOwnerAlias } from "../../../shared/identity/owners/alias.ts";
import { addDomain, hideDomain, removeDomain, showDomain } from "../../../shared/identity/owners/domains.ts";
import { runModeratorCommand, runOwnerCommand } from "../../../shared/identity/owners/suspension.ts";
import { isEmailBlocked } from "../../../shared/identity/sign-in/mailbox.ts";
import { runCreationCommand } from "../../../shared/works/creations/take-down.ts";
import { allowPreviews } from "../../../shared/works/previews/preview-links.ts";
import { connectAuthor, type Json, makeCreation, publishNew, type TestAgent } from "../../support/agent.ts";
import { openFolder } from "../../support/close-afterwards.ts";
import { DEEP, runs } from "../../support/depth.ts";
import "../../support/fixed-seed.ts";
import { mailsTo, pathIn } from "../../support/mail-folder.ts";
import { openDashboard } from "../../support/owner-dashboard.ts";
import { openService, type TestService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";

vi.setConfig({ testTimeout: 600_000 });

/** Acts that take nothing away: they make, show or note something. */
const GIVING = [
  ...["agent.claim", "agent.create", "agent.renew_claim", "asset.upload", "backup.resume", "banner.set"],
  ...["client.add", "creation.confirm", "creation.create", "creation.preview", "creation.rebind"],
  ...["creation.schedule"],
  ...["domain.add", "domain.fail", "domain.verify", "enrollment.issue", "enrollment.redeem", "export.finish"],
  ...["export.order", "grant.allow", "grant.connect", "invitation.create", "log.add_key", "log.reopen"],
  ...["log.add_witness", "witness.add_log", "witness.reopen_log"],
  ...[
    "owner.ask_email",
    "owner.create",
    "owner.sign_in",
    "owner.sign_in_link",
    "passkey.add",
    "passkey.rename",
  ],
  ...["queue.retry", "report.send", "revision.confirm_review", "topic.add", "topic.enable", "upload.create"],
  ...[
    "watch.add",
    "webhook.add",
    "webhook.subscribe",
    "webhook.ask",
    "webhook.resend",
    "webhook.show_secret",
    "webhook.test",
  ],
  ...["webhook.verify"],
];

test("each act that takes something away is in the list of removals, or the page names what remains of it", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../api/docs/self-hosting.md"), "utf8");
  const section = page.split("### What a restore brings back")[1]?.split(/\n##/)[0] ?? "";
  const named = [...section.matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, name = ""]) => name);
  expect([...LISTED_ACTS, ...named, ...GIVING].toSorted()).toEqual(ACTS.toSorted());
});

/** A thing that can be taken away and given back, by the levels that it may have: 0 is nothing, 2 is all of it. */
interface Thing {
  levels: readonly number[];
  /** What somebody does to it; a refused act changes nothing. */
  act(level: number): Promise<unknown>;
}

/** What is there or not. */
const onOff = (act: (on: boolean) => Promise<unknown>): Thing => ({
  levels: [0, 2],
  act: (level) => act(level > 0),
});
const gone = (act: () => Promise<unknown>): Thing => ({ levels: [0], act });

async function openWorld() {
  const service = await openService({ workers: false });
  const { deps } = service;
  const owner = await openDashboard(service, "Nora");
  const agent = await connectAuthor(service, { ownerId: owner.ownerId });
  const works = [await publishNew(agent), await publishNew(agent)];
  const draft = await makeCreation(agent);
  for (const name of ["one-tide.org", "two-tide.org"])
    await addDomain(deps, COMMAND_LINE, owner.ownerId, name);
  await runSql(service, "UPDATE domains SET verified_at = now(), verified_by = 'dns'");
  const domains = await runSql(service, "SELECT id FROM domains ORDER BY id");
  const { id, ownerId } = agent;
  const email = "mara@example.net";
  const by = [deps, COMMAND_LINE] as const;
  const terms = { reason: null, untilMs: null };
  const things: Record<string, Thing> = {
    pause: onOff((on) => runAgentCommand(...by, id, on ? "resume" : "pause")),
    agent: onOff((on) => runAgentCommand(...by, id, on ? "unsuspend" : "suspend")),
    page: onOff((on) => runAgentCommand(...by, id, on ? "unhide" : "hide")),
    previews: onOff((on) => allowPreviews(...by, id, on)),
    account: onOff((on) => runOwnerCommand(...by, ownerId, on ? "unsuspend" : "suspend")),
    alias: onOff((on) => showOwnerAlias(...by, ownerId, on)),
    moderator: onOff((on) => runModeratorCommand(...by, owner.email, on ? "grant" : "revoke")),
    mailbox: onOff((on) => (on ? liftBlock(...by, { email }) : addBlock(...by, { email }, terms))),
    draft: gone(() => tell(agent, "DELETE", draft.id, "")),
    domain0: gone(() => removeDomain(...by, ownerId, domains[0].id)),
  };
  const next = `next-${owner.email}`;
  for (const [n, domain] of domains.entries())
    things[`shown${n}`] = onOff((on) => (on ? showDomain : hideDomain)(...by, ownerId, domain.id));
  for (const [n, work] of works.entries()) {
    const revision_id = work.latest_revision.id;
    const reason = "The gauge was broken.";
    things[`work${n}`] = onOff((on) => runCreationCommand(...by, work.id, on ? "unhide" : "hide"));
    things[`mark${n}`] = onOff((on) =>
      tell(agent, "POST", work.id, on ? "/reinstate" : "/retract", { reason }),
    );
    things[`site${n}`] = {
      levels: [0, 1, 2],
      async act(level) {
        if (level === 0) return await runCreationCommand(...by, work.id, "unpublish");
        const visibility = level === 1 ? "unlisted" : "public";
        await tell(agent, "POST", work.id, "/visibility", { visibility });
        await tell(agent, "POST", work.id, "/restore", { revision_id, visibility });
      },
    };
  }
  things.address = gone(async () => {
    await owner.post("/console/account/email", { email: next });
    const link = pathIn((await mailsTo(service, next))[0]);
    if (link !== "") await owner.post(link);
  });
  /** How much of each thing there is in a service. */
  const look = async (at: TestService): Promise<Record<string, number>> => ({
    ...(await lookAtWorks(at, works)),
    ...(await lookAtPeople(at, agent)),
    ...(await lookAtDomains(at, domains)),
    mailbox: (await isEmailBlocked(at.deps, email)) ? 0 : 2,
    address: (await isEmailBlocked(at.deps, owner.email)) ? 0 : 2 * (await countOwners(at, owner.email)),
    draft: 2 * (await runSql(at, "SELECT FROM creations WHERE id = $1", [draft.id])).length,
  });
  return { service, things: Object.values(things), look };
}

/** How many owners sign in by an address. */
async function countOwners(at: TestService, email: string): Promise<number> {
  return (await runSql(at, "SELECT FROM owners WHERE email = $1", [email])).length;
}

/** A request of the agent on a work, which may be refused. */
async function tell(agent: TestAgent, method: "POST" | "DELETE", id: string, path: string, body?: object) {
  const ifMatch = (await agent.get(`/creations/${id}`)).json.data?.lock_version;
  expect((await agent.send(method, `/creations/${id}${path}`, body, { ifMatch })).status).toBeLessThan(500);
}

async function lookAtWorks(at: TestService, works: readonly Json[]) {
  const found: Record<string, number> = {};
  for (const [n, { id }] of works.entries()) {
    const [row] = await runSql(
      at,
      "SELECT visibility, hidden_at, retracted_at FROM creations WHERE id = $1",
      [id],
    );
    found[`site${n}`] = ["private", "unlisted", "public"].indexOf(row.visibility);
    found[`work${n}`] = row.hidden_at === null ? 2 : 0;
    // What is off the site is read by nobody, with the mark or without it.
    found[`mark${n}`] = row.retracted_at === null && row.visibility !== "private" ? 2 : 0;
  }
  return found;
}

async function lookAtPeople(at: TestService, { id, ownerId }: TestAgent) {
  const [agent] = await runSql(at, "SELECT * FROM agents WHERE id = $1", [id]);
  const [owner] = await runSql(at, "SELECT * FROM owners WHERE id = $1", [ownerId]);
  const open = (since: unknown) => (since === null ? 2 : 0);
  return {
    pause: open(agent.paused_at),
    agent: open(agent.suspended_at),
    page: open(agent.homepage_hidden_at),
    previews: open(agent.previews_off_at),
    account: owner.status === "active" ? 2 : 0,
    alias: owner.show_alias ? 2 : 0,
    moderator: owner.moderator ? 2 : 0,
  };
}

async function lookAtDomains(at: TestService, domains: readonly Json[]) {
  const rows = await runSql(at, "SELECT id, shown FROM domains");
  const of = (n: number) => rows.find(({ id }: Json) => id === domains[n].id);
  return { domain0: of(0) ? 2 : 0, shown0: of(0)?.shown ? 2 : 0, shown1: of(1)?.shown ? 2 : 0 };
}

/** The places of the second domain's visibility and of the owner's address among the things. */
const [SHOWN1, ADDRESS] = [11, 18];
const STEPS = DEEP ? 60 : 10;
/** What a restore gives back, too, where the last act did. */
const SWITCHES = ["pause", "agent", "page", "previews", "account", "work0", "work1"];

test("what an operator or owner took away stays away, and nothing else is taken", async () => {
  const step = fc.record({ thing: fc.nat(1_000), level: fc.nat(1_000) });
  const walks = fc.record({
    steps: fc.array(step, { minLength: STEPS, maxLength: STEPS }),
    backupAt: fc.nat({ max: STEPS / 2 }),
  });
  const walk = fc.asyncProperty(walks, async ({ steps, backupAt }) => {
    const folder = join(await openFolder(), "backup");
    const { service, things, look } = await openWorld();
    let before: Record<string, number> = {};
    for (const [at, { thing, level }] of steps.entries()) {
      if (at === backupAt) {
        before = await look(service);
        await createBackup(service.deps, service.databaseUrl, folder);
      }
      const { levels = [0], act } = things[thing % things.length] ?? {};
      await act?.(levels[level % levels.length] ?? 0).catch((error) => {
        if (!(error instanceof Refusal)) throw error;
      });
      if (at % 7 === 0) await sweepRemovals(service.deps);
    }
    await sweepRemovals(service.deps);
    const after = await look(service);
    const target = await openService({ workers: false });
    const removals = service.deps.config.removalsFile;
    await restoreBackup(target.deps, target.databaseUrl, folder, { removals, keepCredentials: true });
    const found = await look(target);
    for (const [name, level] of Object.entries(found)) {
      const [was = 0, is = 0] = [before[name], after[name]];
      const isRight = SWITCHES.includes(name) ? level === is : level <= is && level >= Math.min(was, is);
      expect({ name, was, is, found: level, isRight }).toMatchObject({ isRight: true });
    }
    await Promise.all([service.close(), target.close()]);
  });
  // The second domain is shown; after the backup the first one is told not to be, and the owner takes a new address.
  const steps = [
    { thing: SHOWN1, level: 1 },
    { thing: SHOWN1 - 1, level: 0 },
    { thing: ADDRESS, level: 0 },
  ];
  const examples: [{ steps: typeof steps; backupAt: number }][] = [[{ steps, backupAt: 1 }]];
  await fc.assert(walk, { numRuns: examples.length + runs(40), examples, endOnFailure: true });
});
