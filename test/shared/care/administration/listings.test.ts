import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { AUDITED_NOUNS, listEntries } from "../../../../shared/care/administration/list-entries.ts";
import { LISTINGS, type ListingNoun } from "../../../../shared/care/administration/listings.ts";
import { showAgent, showOwner } from "../../../../shared/care/administration/show-entry.ts";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runModeratorCommand } from "../../../../shared/identity/owners/suspension.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import {
  connectAgent,
  type Json,
  makeCode,
  makeCreation,
  publish,
  publishFrontPage,
} from "../../../support/agent.ts";
import { runBeside } from "../../../support/run-here.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false });
const agent = await connectAgent(service, { handle: "tidewatch" });
const other = await connectAgent(service, { handle: "gauge-reader" });
await runSql(service, "UPDATE owners SET email = 'nora@example.org' WHERE id = $1", [agent.ownerId]);
await publishFrontPage(agent);
const work = await makeCreation(agent, { slug: "november-surge" });
await publish(agent, work);
await runSql(service, "UPDATE creation_revisions SET title = $1 WHERE creation_id = $2", [
  "Surge \u001b[31mof\u202e November",
  work.id,
]);
await makeCode(service, agent.ownerId, { handle: "second-one" });
await runCreationCommand(service.deps, COMMAND_LINE, work.id, "hide", "A copy.");
await runAgentCommand(service.deps, COMMAND_LINE, other.id, "suspend", null);
await runModeratorCommand(service.deps, COMMAND_LINE, "nora@example.org", "grant");
for (const creationId of [work.id, null]) {
  await runSql(
    service,
    `INSERT INTO reports (id, agent_id, creation_id, reason, created_at) VALUES ($1, $2, $3, 'spam', $4)`,
    [service.deps.newId(), agent.id, creationId, new Date(service.deps.now())],
  );
}

const cli = (...args: string[]) => runBeside(service, args);
const idsOf = async (noun: ListingNoun, filters: Record<string, unknown>) =>
  (await listEntries(service.deps, noun, { filters })).data.map(({ id }) => id);

describe("a list", () => {
  test("keeps to its filters, in the names that people know", async () => {
    expect(await idsOf("owner", {})).toEqual([other.ownerId, agent.ownerId]);
    expect(await idsOf("owner", { status: "suspended" })).toEqual([]);
    expect(await idsOf("moderator", {})).toEqual([agent.ownerId]);
    expect(await idsOf("agent", { owner: "nora@example.org" })).toEqual([agent.id]);
    expect(await idsOf("agent", { status: "suspended" })).toEqual([other.id]);
    expect(await idsOf("agent", { hidden: true })).toEqual([]);
    expect(await idsOf("creation", { hidden: true })).toEqual([work.id]);
    expect(await idsOf("creation", { agent: "@gauge-reader" })).toEqual([]);
    expect(await idsOf("creation", { type: "story", owner: "nora@example.org" })).toEqual([work.id]);
    expect(await idsOf("creation", { visibility: "private" })).toEqual([]);
    expect(await idsOf("code", { state: "open" })).toHaveLength(1);
    expect(await idsOf("code", { owner: "nora@example.org" })).toHaveLength(2);
    expect(await idsOf("report", { state: "open", agent: "tidewatch" })).toHaveLength(2);
    expect(await idsOf("report", { reason: "illegal" })).toEqual([]);
    expect(await idsOf("topic", { enabled: "off" })).toEqual([]);
    expect(await idsOf("domain", {})).toEqual([]);
    expect(await idsOf("export", { state: "ready" })).toEqual([]);
  });

  test("of the audit keeps to actors, acts, subjects and times", async () => {
    const acts = async (filters: Record<string, unknown>) =>
      (await listEntries(service.deps, "audit", { filters })).data.map(({ action }) => action);
    expect(await acts({ actor: "command", action: "agent" })).toContain("agent.suspend");
    expect(await acts({ action: "creation.hide", agent: "@tidewatch" })).toEqual(["creation.hide"]);
    expect(await acts({ subject: other.id.toLowerCase(), action: "agent.suspend" })).toEqual([
      "agent.suspend",
    ]);
    expect(await acts({ owner: "nora@example.org", action: "moderator" })).toEqual(["moderator.grant"]);
    expect(await acts({ to: "2020-01-01" })).toEqual([]);
    expect((await acts({ from: "2020-01-01T00:00:00Z" })).length).toBeGreaterThan(5);
  });

  test.each(Object.keys(LISTINGS) as ListingNoun[])(
    "of %s goes on from its cursor to the end",
    async (noun) => {
      const all = (await listEntries(service.deps, noun, { limit: "1000" })).data.map(({ id }) => id);
      const walked: unknown[] = [];
      for (let cursor: string | undefined; walked.length <= all.length; ) {
        const part = await listEntries(service.deps, noun, { limit: "1", ...(cursor && { cursor }) });
        walked.push(...part.data.map(({ id }) => id));
        if (part.next_cursor === null) break;
        cursor = part.next_cursor;
      }
      expect(walked).toEqual(all);
    },
  );

  test.each([
    [["agent", "list", "--status", "pausd"], "status", "There is no status pausd. Did you mean paused?"],
    [["agent", "list", "--limit", "0"], "limit", "--limit takes a whole number from 1 to 1000."],
    [["owner", "list", "--cursor", "x"], "cursor", "--cursor takes the next_cursor of the page before."],
    [["audit", "list", "--from", "soon"], "from", "--from takes a day such as 2026-11-20, or a time such as"],
    [
      ["audit", "list", "--action", "agnet.pause"],
      "action",
      "There is no noun of acts agnet. Did you mean agent?",
    ],
    [
      ["audit", "list", "--action", "agent.pasue"],
      "action",
      "There is no verb of agent pasue. Did you mean pause?",
    ],
    [
      ["audit", "list", "--action", "topic.pause"],
      "action",
      "There is no verb of topic pause. There are add, disable, enable, rename.",
    ],
    [
      ["audit", "list", "--subject", "@tidewatch"],
      "subject",
      "--subject takes an id. For an agent use --agent",
    ],
    [["topic", "list", "--format", "tabel"], "format", "There is no format tabel. Did you mean table?"],
    [["report", "find", " "], "text", "Write what to look for."],
  ])("%j is refused with what fits", async (args, field, sentence) => {
    const refusal = (await cli(...args)).refusal();
    expect(refusal.errors?.[field]?.[0]).toContain(sentence);
  });
});

test("every noun of an act can be a filter of the audit", () => {
  const code = globSync("shared/**/*.ts").map((file) => readFileSync(file, "utf8"));
  const acts = code
    // The maker of acts names events, too, and no act.
    .filter((text) => /subjectKind|\bmakeAct\(/.test(text) && !text.includes("function makeAct("))
    .flatMap((text) => [...text.matchAll(/["`]([a-z]+)\.(?:[a-z_]+["`]|\$\{)/g)].map(([, noun]) => noun));
  expect(new Set(acts).size).toBeGreaterThan(20);
  expect([...new Set(acts)].filter((noun) => !AUDITED_NOUNS.includes(noun ?? ""))).toEqual([]);
});

describe("find", () => {
  test.each([
    ["owner", "nora@"],
    ["agent", "@TideWatch"],
    ["agent", "nora@example.org"],
    ["creation", "/@tidewatch/november-surge#1"],
    ["creation", "november"],
    ["code", "second-one"],
    ["report", "@tidewatch/november-surge"],
    ["topic", "climate"],
    ["audit", "a copy."],
  ] as const)("%s %j finds the one that is meant", async (noun, text) => {
    const found = (await listEntries(service.deps, noun, { text })).data;
    expect(found).toHaveLength(1);
    const again = (await listEntries(service.deps, noun, { text: String(found[0]?.id) })).data;
    if (noun !== "audit") expect(again).toEqual(found);
  });
});

describe("show and the forms of an answer", () => {
  test("of an agent and of an owner holds the use of every limit", async () => {
    const shown = await showAgent(service.deps, agent.id);
    expect(shown).toMatchObject({ id: agent.id, handle: "tidewatch", owner_email: "nora@example.org" });
    expect(shown.usage).toMatchObject({
      creations: { used: 1, limit: 2000 },
      publications_today: { used: 1, limit: 20 },
      updates_today: { used: 0, limit: 50 },
      tokens: { used: 1, limit: 5 },
      profile_revisions: { used: 1, limit: 1000 },
      writes_per_minute: { used: null, limit: service.deps.config.limits.writesPerMinute },
      checks_per_minute: { used: null, limit: service.deps.config.limits.checksPerMinute },
    });
    const owner = await showOwner(service.deps, agent.ownerId);
    expect((await cli("owner", "show", "--owner", "nora@example.org")).json().id).toBe(agent.ownerId);
    expect(owner).toMatchObject({
      id: agent.ownerId,
      moderator: true,
      usage: { agents: { used: 1, limit: 10 }, exports_today: { used: 0, limit: 3 } },
      agent_list: [{ handle: "tidewatch" }],
      open_codes: [{ handle: "second-one" }],
    });
    const creation = (await cli("creation", "show", "--creation", "@tidewatch/november-surge")).json();
    expect(creation).toMatchObject({
      id: work.id,
      revision_list: [{ revision_number: 1, state: "published" }],
    });
    expect((await cli("topic", "show", "--slug", "climate")).json()).toMatchObject({ slug: "climate" });
    expect((await cli("report", "show", "--report", agent.id)).refusal().code).toBe("not_found");
  });

  test("is JSON where it is piped, and a table by choice, without what moves a cursor", async () => {
    const piped = (await cli("creation", "list")).json();
    expect(piped).toMatchObject({ data: [{ address: "@tidewatch/november-surge" }], next_cursor: null });
    const table = await cli("creation", "list", "--format", "table");
    expect(table.stdout).toMatch(
      /^ID +ADDRESS +TYPE +TITLE .*\n01\w{24} {2}@tidewatch\/november-surge +story +/,
    );
    expect(table.stdout).toContain("Surge  [31mof  November");
    const more = await cli("owner", "list", "--limit", "1", "--format", "table");
    expect(more.stdout).toContain(`There are more: --cursor ${other.ownerId}`);
    expect((await cli("domain", "list", "--format", "table")).stdout).toBe("There are none.\n");
    const card = await cli("agent", "show", "--agent", agent.id, "--format", "table");
    expect(card.stdout).toMatch(
      /^id +01\w{24}\nhandle +tidewatch\n[\s\S]*\nusage\nNAME +USED +LIMIT\ncreations +1 +2000\n/,
    );
  });
});

test("storage report adds up files by kind, owner and agent", async () => {
  await agent.upload("heights.csv", "a,b\n1,2\n");
  await agent.upload("notes.txt", "Notes.");
  await runSql(service, "UPDATE agents SET suspended_at = NULL WHERE id = $1", [other.id]);
  await other.upload("more.csv", "a\n1\n");
  const report = (await cli("storage", "report")).json() as Json;
  expect(report).toMatchObject({
    files: 3,
    owners: [
      { name: "nora@example.org", files: 2 },
      { name: expect.stringMatching(/^owner-/), files: 1 },
    ],
    agents: [
      { name: "@tidewatch", files: 2 },
      { name: "@gauge-reader", files: 1 },
    ],
  });
  const kinds = Object.fromEntries(report.kinds.map(({ name, ...kind }: Json) => [name, kind]));
  const { text_bytes } = (await agent.get("/agent")).json.data.usage;
  expect(kinds).toMatchObject({
    csv: { files: 2, bytes: 12 },
    txt: { files: 1, bytes: 6 },
    answer: { files: 0 },
  });
  expect(kinds.text).toEqual({ files: 0, bytes: text_bytes });
  const ofAll = ["job", "mail"].reduce((sum, name) => sum + (kinds[name]?.bytes ?? 0), 0);
  for (const part of ["owners", "agents"])
    expect(report[part].reduce((sum: number, { bytes }: Json) => sum + bytes, ofAll)).toBe(report.bytes);
  expect(report.today).toContainEqual({ name: "nora@example.org", bytes: expect.any(Number) });
  const table = await cli("storage", "report", "--limit", "1", "--format", "table");
  expect(table.stdout).toMatch(/^files +3\nbytes +\d+\n\nkinds\nNAME +FILES +BYTES\n[\s\S]*\ncsv +2 +12\n/);
  expect(table.stdout).not.toContain("@gauge-reader");
});
