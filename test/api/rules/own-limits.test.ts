import { describe, expect, test } from "vitest";
import {
  changeLimits,
  type LimitsSubject,
  readLimitChanges,
} from "../../../shared/care/administration/own-limits.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import {
  connectAgent,
  type Json,
  makeCode,
  publishFrontPage,
  request,
  type TestAgent,
} from "../../support/agent.ts";
import { DEEP, some } from "../../support/depth.ts";
import { openDashboard } from "../../support/owner-dashboard.ts";
import { runBeside } from "../../support/run-here.ts";
import { openService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";
import { ASYNC, countUntilRefused, GATES, OTHERS_LIFTED } from "./limit-gates.ts";

// The service's own limits are all 3 or 300 bytes: an agent or owner with a limit of its own gets further, or less far.
const THREE = {
  ...{ creations: 3, revisionsPerCreation: 3, files: 3, storageBytes: 300, fileBytes: 300 },
  ...{ publicationsPerDay: 3, updatesPerDay: 3, tokensPerAgent: 3, grantsPerAgent: 3, processingUploads: 3 },
  ...{ profileRevisions: 3, agentsPerOwner: 3, domainsPerOwner: 3, domainChecksPerHour: 3, exportsPerDay: 3 },
  ...{ webhooksPerOwner: 3, webhookAsksPerHour: 3 },
};

const service = await openService({ workers: false, limits: THREE });

const cli = (...args: string[]) => runBeside(service, args);
/** Does what the command does with these words, without its start. */
const limit = async (subject: LimitsSubject, id: string, words: readonly string[]): Promise<Json> => {
  const given = (option: string) => words.filter((_, at) => words[at - 1] === option);
  const changes = readLimitChanges(subject, { set: given("--set"), unset: given("--unset") });
  return (await changeLimits(service.deps, COMMAND_LINE, subject, id, changes)).limits as Json;
};
const limitAgent = (agent: TestAgent, ...words: string[]) => limit("agent", agent.id, words);
const limitOwner = (id: string, ...words: string[]) => limit("owner", id, words);

/** In npm test each other limit is raised, and the next one lowered. */
const WAYS = { raised: 5, lowered: 2 };

/** A limit of n, or of a hundred bytes each. */
const limitTo = (name: string, n: number) => `${name}=${name.endsWith("Bytes") ? n * 100 : n}`;

describe.each(Object.entries(GATES))("the limit %s of one agent", (name, [code, begin]) => {
  const turn = Object.keys(GATES).indexOf(name) % 2;
  test.each(Object.entries(WAYS).filter((_, at) => DEEP || at === turn))(
    "is obeyed where it is %s, and may be the largest that is taken",
    async (_how, most) => {
      const agent = await connectAgent(service);
      if (name !== "profileRevisions") await publishFrontPage(agent);
      await limitAgent(agent, ...OTHERS_LIFTED(name), "--set", limitTo(name, most));
      const act = await begin(agent, service);
      expect(await countUntilRefused(act)).toEqual([most, code]);
      await limitAgent(agent, "--set", `${name}=${Number.MAX_SAFE_INTEGER}`);
      expect((await act(8)).status).toBeLessThan(400);
    },
  );
});

describe.each(some(Object.entries(GATES), 3))("the limit %s", (name, [code, begin]) => {
  const value = (n: number) => limitTo(name, n);

  test("is that of an agent's owner where it has none, and the service's where neither has one", async () => {
    const agent = await connectAgent(service);
    if (name !== "profileRevisions") await publishFrontPage(agent);
    await limitAgent(agent, ...OTHERS_LIFTED(name));
    await limitOwner(agent.ownerId, "--set", value(4));
    expect((await limitAgent(agent))[name]).toMatchObject({ of: "owner" });
    expect(await countUntilRefused(await begin(agent, service))).toEqual([4, code]);
    await limitAgent(agent, "--set", value(2));
    expect((await limitAgent(agent))[name]).toMatchObject({ of: "agent" });
    await limitAgent(agent, "--unset", name);
    await limitOwner(agent.ownerId, "--unset", name);
    expect((await limitAgent(agent))[name]).toMatchObject({ of: "service" });
  });
});

describe("limits of an owner", () => {
  test("agents: exactly as many of twelve enrolments at once pass as the owner's own limit says", async () => {
    const { ownerId } = await openDashboard(service);
    await limitOwner(ownerId, "--set", "agentsPerOwner=5");
    const codes = await Promise.all(Array.from({ length: 12 }, () => makeCode(service, ownerId)));
    const redeem = (enrollment_code: string, n: number) =>
      request(service, {
        method: "POST",
        url: "/api/v1/agents",
        payload: { enrollment_code, handle: `crowd-${n}`, display_name: "One" },
      });
    const replies = await Promise.all(codes.map(redeem));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(replies.filter(({ json }) => json.code === "quota_exhausted")).toHaveLength(7);
    // An archived agent makes room for another, by a code that was refused before.
    await runSql(
      service,
      "UPDATE agents SET archived_at = now() WHERE id = (SELECT min(id) FROM agents WHERE owner_id = $1)",
      [ownerId],
    );
    const refused = replies.findIndex(({ status }) => status === 409);
    expect((await redeem(codes[refused] ?? "", refused)).status).toBe(201);
  });

  test("domains, their checks and archives obey a raised and a lowered limit, which the console shows", async () => {
    for (const most of [5, 1]) {
      const owner = await openDashboard(service);
      await limitOwner(owner.ownerId, "--set", `domainsPerOwner=${most}`, "--set", `exportsPerDay=${most}`);
      const replies: number[] = [];
      for (let n = 0; n <= most; n++) {
        replies.push((await owner.post("/console/domains", { domain: `d${n}-${most}.example.org` })).status);
      }
      expect(replies).toEqual([...Array.from({ length: most }, () => 303), 422]);
      const page = await owner.get("/console/account");
      expect(page.text).toContain(`d${most - 1}-${most}.example.org`);
      const exports: number[] = [];
      for (let n = 0; n <= most; n++) {
        exports.push((await owner.post("/console/exports", {})).status);
        await runSql(
          service,
          "UPDATE owner_exports SET state = 'failed', failure = 'No room.', finished_at = ordered_at, expires_at = ordered_at WHERE owner_id = $1",
          [owner.ownerId],
        );
      }
      expect(exports).toEqual([...Array.from({ length: most }, () => 303), 429]);
    }
  });

  test("checks of domains an hour obey a raised and a lowered limit", async () => {
    const nothing = async () => [];
    Object.assign(service.deps.outboundNetwork, { listTexts: nothing, listAddresses: nothing });
    for (const most of [5, 1]) {
      const owner = await openDashboard(service);
      await limitOwner(owner.ownerId, "--set", `domainChecksPerHour=${most}`);
      await owner.post("/console/domains", { domain: `checked-${most}.example.org` });
      const [{ id }] = await runSql(service, "SELECT id FROM domains WHERE owner_id = $1", [owner.ownerId]);
      const statuses: number[] = [];
      for (let n = 0; n <= most; n++)
        statuses.push((await owner.post(`/console/domains/${id}/check`)).status);
      expect(statuses).toEqual([...Array.from({ length: most }, () => 200), 429]);
    }
  });
});

describe("a change of limits", () => {
  test("is obeyed by uploads that arrive at once with it, to the file", async () => {
    const agent = await connectAgent(service);
    await limitAgent(agent, "--set", "processingUploads=100", "--set", "files=100");
    const uploads = Array.from({ length: 20 }, (_, n) => agent.upload(`f${n}.txt`, "x", ASYNC));
    const limits = await limitAgent(agent, "--set", "files=8");
    expect(limits.files).toEqual({ limit: 8, of: "agent" });
    const atChange = await runSql(service, "SELECT file_count FROM agents WHERE id = $1", [agent.id]);
    const passed = (await Promise.all(uploads)).filter(({ status }) => status === 201).length;
    expect(passed).toBe(Math.max(8, atChange[0].file_count));
    expect((await agent.upload("last.txt", "x", ASYNC)).json.code).toBe("asset_count_exhausted");
  });

  test("is shown to the agent, to its owner and to operators, and recorded", async () => {
    const owner = await openDashboard(service);
    const agent = await connectAgent(service, { ownerId: owner.ownerId });
    await limitOwner(owner.ownerId, "--set", "publicationsPerDay=7", "--set", "agentsPerOwner=6");
    const words = ["storage_bytes=1.5GB", "updatesPerDay=0", "fileBytes=1 MiB"];
    await limitAgent(agent, ...words.flatMap((word) => ["--set", word]));
    const { limits, remaining } = (await agent.get("/agent")).json.data;
    expect(limits).toMatchObject({
      ...{ storage_bytes: 1_500_000_000, file_bytes: 1_048_576, publications_per_day: 7, updates_per_day: 0 },
      creations: 3,
    });
    expect(remaining).toMatchObject({ publications_today: 7, updates_today: 0 });
    expect((await owner.get(`/console/agents/${agent.id}`)).text).toContain("0 of 7");
    const shown = (await cli("agent", "show", "--agent", agent.id)).json() as Json;
    expect(shown.usage).toMatchObject({
      storage_bytes: { limit: 1_500_000_000 },
      updates_today: { limit: 0 },
    });
    expect(shown.own_limits).toEqual({ storageBytes: 1_500_000_000, updatesPerDay: 0, fileBytes: 1_048_576 });
    expect(shown.owner_limits).toEqual({ publicationsPerDay: 7, agentsPerOwner: 6 });
    const ofOwner = (await cli("owner", "show", "--owner", owner.ownerId)).json() as Json;
    expect(ofOwner.usage.agents).toEqual({ used: 1, limit: 6 });
    const acts = await runSql(
      service,
      "SELECT actor_kind, action, detail FROM audit_log WHERE subject_id = ANY($1) AND action LIKE '%limits' ORDER BY id",
      [[owner.ownerId, agent.id]],
    );
    expect(acts).toEqual([
      {
        ...{ actor_kind: "command", action: "owner.limits" },
        detail: { publicationsPerDay: 7, agentsPerOwner: 6 },
      },
      {
        ...{ actor_kind: "command", action: "agent.limits" },
        detail: { storageBytes: 1_500_000_000, updatesPerDay: 0, fileBytes: 1_048_576 },
      },
    ]);
    const log = await owner.get("/console/audit");
    expect(log.text).toContain("changed the limits of the agent");
    expect(log.text).toContain("changed the limits of the account");
  });

  test("leaves nothing behind where each limit is unset", async () => {
    const agent = await connectAgent(service);
    await limitAgent(agent, "--set", "files=9");
    await limitAgent(agent, "--unset", "files", "--unset", "creations");
    const rows = await runSql(service, "SELECT own_limits FROM agents WHERE id = $1", [agent.id]);
    expect(rows[0].own_limits).toBeNull();
  });

  test("reads names of another version past", async () => {
    const agent = await connectAgent(service);
    await runSql(service, `UPDATE agents SET own_limits = '{"warpFactor": 9, "files": 4}' WHERE id = $1`, [
      agent.id,
    ]);
    expect((await agent.get("/agent")).json.data.limits).toMatchObject({ files: 4 });
    expect(await limitAgent(agent)).not.toHaveProperty("warpFactor");
  });
});

describe("a change that cannot be read", () => {
  test.each([
    [["--set", "storagebytes=1GB"], "There is no limit storagebytes. Did you mean storageBytes?"],
    [["--set", "text_byte=1GB"], "There is no limit textByte. Did you mean textBytes?"],
    [["--unset", "creation"], "There is no limit creation. Did you mean creations?"],
    [["--set", "pageCacheBytes=1"], "There is no limit pageCacheBytes."],
    [["--set", "agentsPerOwner=9"], "agentsPerOwner is a limit of an owner: use owner limits."],
    [["--set", "writesPerMinute=90"], "writesPerMinute is counted outside the database"],
    [["--set", "files"], "--set files takes a whole number of 0 or more, as in files=50."],
    [["--set", "=4"], "There is no limit ."],
    [["--set", "files=-1"], "--set files takes a whole number of 0 or more"],
    [["--set", "files=1GB"], "--set files takes a whole number of 0 or more"],
    [["--set", "storageBytes=1.5"], "--set storageBytes takes a whole number of 0 or more, or a size"],
    [["--set", "storageBytes=9999999TB"], "--set storageBytes takes"],
    [["--set", "files=4", "--set", "files=5"], "files stands there twice"],
    [["--set", "files=4", "--unset", "files"], "files stands there twice"],
  ])("%j is refused, and nothing is changed", async (words, start) => {
    const agent = await connectAgent(service);
    const refusal = (await cli("agent", "limits", "--agent", agent.id, ...words)).refusal();
    expect(refusal.code).toBe("validation_failed");
    expect(refusal.message.slice(0, start.length)).toBe(start);
    const rows = await runSql(service, "SELECT own_limits FROM agents WHERE id = $1", [agent.id]);
    expect(rows[0].own_limits).toBeNull();
  });
});
