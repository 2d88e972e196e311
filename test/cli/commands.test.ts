import { rm } from "node:fs/promises";
import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { withClient } from "../../cli/embedded/database.ts";
import { loadConfig } from "../../shared/config.ts";
import { closeDeps, openDeps, openLog } from "../../shared/deps.ts";
import { redeemCode } from "../../shared/redemption.ts";
import { createTestDatabase, startTestCluster, type TestCluster } from "../support/cluster.ts";
import { runEntry } from "../support/command.ts";
import { findOrphans } from "../support/service-process.ts";

const SITE = "https://broadsheet.example.org";
const NOBODY = "01M7X6WBAZDT3JDAMJ1NB8D4T6";

let cluster: TestCluster & { stop(): Promise<void> };
let databaseUrl = "";
let dataDir = "";

beforeAll(async () => {
  cluster = await startTestCluster();
  databaseUrl = (await createTestDatabase(cluster)).url;
  dataDir = await makeTemporaryDataFolder("broadsheet-test-");
});
afterAll(async () => {
  await cluster.stop();
  expect(await findOrphans(dataDir, [])).toEqual([]);
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs an operators' command on the database of this file. */
async function cli(...args: string[]) {
  return await runEntry("main.ts", args, { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SITE_URL: SITE });
}

async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return await withClient(databaseUrl, async (client) => (await client.query<Row>(text, values)).rows);
}

/** What the audit tells of a subject, oldest first. */
async function auditOf(subject: unknown): Promise<string[]> {
  const rows = await query<{ line: string }>(
    "SELECT actor_kind || ' ' || action AS line FROM audit_log WHERE subject_id = $1 ORDER BY id",
    [subject],
  );
  return rows.map((row) => row.line);
}

async function makeOwner(email: string): Promise<string> {
  return String((await cli("owner", "create", "--email", email)).json().owner_id);
}

/** A pending agent of an owner, enrolled as over HTTP. */
async function redeem(code: unknown, handle: string): Promise<string> {
  const config = loadConfig({ DATA_DIR: dataDir, SITE_URL: SITE });
  const log = openLog("silent", "test");
  const deps = await openDeps(config, { databaseUrl, works: false, maxConnections: 2, log });
  try {
    const body = { enrollment_code: code, handle };
    const input = { authorization: undefined, body, address: "127.0.0.1", requestId: NOBODY };
    return (await redeemCode(deps, input)).agent.id;
  } finally {
    await closeDeps(deps);
  }
}

describe("owner", () => {
  test("create prints the account and writes the audit", async () => {
    const owner = (await cli("owner", "create", "--email", " Nora@Example.org ", "--alias", "Nora")).json();
    expect(owner).toEqual({ owner_id: expect.any(String), email: "nora@example.org", alias: "Nora" });
    expect(await auditOf(owner.owner_id)).toEqual(["command owner.create"]);
  });

  test("create refuses an address that is known or is none, and makes nothing", async () => {
    await makeOwner("twice@example.org");
    const before = await query("SELECT id FROM owners");
    for (const [email, sentence] of [
      ["twice@example.org", "There is an owner with this e-mail address already."],
      ["nobody", "The email must be an address such as nora@example.org."],
    ] as const) {
      const refusal = (await cli("owner", "create", "--email", email)).refusal();
      expect(refusal).toEqual({
        code: "validation_failed",
        message: sentence,
        errors: { email: [sentence] },
      });
    }
    expect(await query("SELECT id FROM owners")).toEqual(before);
  });

  test("sign-in-link prints an address that works for an hour", async () => {
    const id = await makeOwner("link@example.org");
    const link = (await cli("owner", "sign-in-link", "--email", "link@example.org")).json();
    expect(link.url).toMatch(new RegExp(`^${SITE}/sign-in/[\\w-]{43}$`));
    expect(Date.parse(String(link.expires_at)) - Date.now()).toBeGreaterThan(3_500_000);
    expect(await auditOf(id)).toEqual(["command owner.create", "command owner.sign_in_link"]);
    expect((await cli("owner", "sign-in-link", "--email", "no@example.org")).refusal().code).toBe(
      "not_found",
    );
  });

  test("show-alias shows an alias and hides it; without one there is nothing to show", async () => {
    const owner = (await cli("owner", "create", "--email", "alias@example.org", "--alias", "Ada")).json();
    const id = String(owner.owner_id);
    const shown = { owner_id: id, alias: "Ada", show_alias: true };
    expect((await cli("owner", "show-alias", "--owner", id.toLowerCase(), "on")).json()).toEqual(shown);
    const hidden = { ...shown, show_alias: false };
    expect((await cli("owner", "show-alias", "--owner", id, "off")).json()).toEqual(hidden);
    expect((await auditOf(id)).slice(1)).toEqual(["command owner.show_alias", "command owner.hide_alias"]);
    const bare = await makeOwner("bare@example.org");
    expect((await cli("owner", "show-alias", "--owner", bare, "on")).refusal().errors).toHaveProperty(
      "alias",
    );
    const maybe = (await cli("owner", "show-alias", "--owner", bare, "maybe")).refusal();
    expect(maybe.message).toBe("Write on or off, not maybe.");
  });
});

describe("code and claim", () => {
  test.for([
    [[], 24 * 3600],
    [["--hours", "0.5"], 1800],
    [["--hours", "0"], 0],
  ] as const)("issue %j makes a code that works for %d seconds", async ([more, seconds]) => {
    const owner = await makeOwner(`hours-${seconds}@example.org`);
    const issued = (await cli("code", "issue", "--owner", owner, ...more)).json();
    expect(issued.enrollment_code).toMatch(/^bse_[0-9A-Z]{6}(-[0-9A-Z]{6}){3}$/);
    const [row] = await query<{ lasts: number }>(
      "SELECT extract(epoch FROM expires_at - created_at)::float8 AS lasts FROM enrollments WHERE id = $1",
      [issued.enrollment_id],
    );
    expect(row?.lasts).toBe(seconds);
    expect(await auditOf(issued.enrollment_id)).toEqual(["command enrollment.issue"]);
  });

  test("issue narrows the token and fixes the handle", async () => {
    const owner = await makeOwner("narrow@example.org");
    const more = ["--handle", "tidewatch", "--abilities", "assets:write, agent:read"];
    const issued = (await cli("code", "issue", "--owner", owner, ...more)).json();
    const rows = await query("SELECT handle, abilities FROM enrollments WHERE id = $1", [
      issued.enrollment_id,
    ]);
    expect(rows).toEqual([{ handle: "tidewatch", abilities: ["agent:read", "assets:write"] }]);
  });

  test.for([
    [["--owner", "x"], "owner", "--owner takes an id of 26 letters and digits."],
    [
      ["--owner", NOBODY, "--hours", "-1"],
      "hours",
      "--hours takes a number from 0 to 8760, such as 24 or 0.5.",
    ],
    [
      ["--owner", NOBODY, "--hours", "1e9"],
      "hours",
      "--hours takes a number from 0 to 8760, such as 24 or 0.5.",
    ],
    [["--owner", NOBODY, "--handle", "api"], "handle", "The handle api is reserved; choose another one."],
  ] as const)("issue %j is refused", async ([args, field, sentence]) => {
    const refusal = (await cli("code", "issue", ...args)).refusal();
    expect(refusal).toEqual({
      code: "validation_failed",
      message: sentence,
      errors: { [field]: [sentence] },
    });
  });

  test("issue refuses an ability that does not exist and an owner that does not", async () => {
    const owner = await makeOwner("able@example.org");
    const unknown = (await cli("code", "issue", "--owner", owner, "--abilities", "agent:read,fly")).refusal();
    expect(unknown.errors).toHaveProperty("abilities");
    expect((await cli("code", "issue", "--owner", NOBODY)).refusal().code).toBe("not_found");
  });

  test("reissue makes a code that connects a known agent anew and ends the one before it", async () => {
    const owner = await makeOwner("reissue@example.org");
    const { enrollment_code } = (await cli("code", "issue", "--owner", owner)).json();
    const agent = await redeem(enrollment_code, "reissued");
    const first = (await cli("code", "reissue", "--agent", agent)).json();
    const second = (await cli("code", "reissue", "--agent", agent, "--hours", "1")).json();
    expect(await redeem(second.enrollment_code, "reissued")).toBe(agent);
    await expect(redeem(first.enrollment_code, "reissued")).rejects.toThrow("cancelled");
    expect((await cli("code", "reissue", "--agent", NOBODY)).refusal().code).toBe("not_found");
    await cli("agent", "archive", "--agent", agent);
    expect((await cli("code", "reissue", "--agent", agent)).refusal().code).toBe("agent_not_active");
  });

  test("revoke ends an open code, once", async () => {
    const owner = await makeOwner("revoke@example.org");
    const { enrollment_id } = (await cli("code", "issue", "--owner", owner)).json();
    const revoked = await cli("code", "revoke", "--enrollment", String(enrollment_id));
    expect(revoked.json()).toEqual({ enrollment_id, status: "revoked" });
    const again = await cli("code", "revoke", "--enrollment", String(enrollment_id));
    expect(again.refusal().code).toBe("not_found");
    expect(await auditOf(enrollment_id)).toEqual(["command enrollment.issue", "command enrollment.revoke"]);
  });

  test("claim confirm makes a pending agent active, and again changes nothing", async () => {
    const owner = await makeOwner("claim@example.org");
    const { enrollment_code } = (await cli("code", "issue", "--owner", owner)).json();
    const id = await redeem(enrollment_code, "claimed-one");
    const answer = { agent_id: id, status: "active" };
    expect((await cli("claim", "confirm", "--agent", id)).json()).toEqual(answer);
    expect((await cli("claim", "confirm", "--agent", id)).json()).toEqual(answer);
    expect((await auditOf(id)).filter((line) => line === "command agent.claim")).toHaveLength(1);
    expect((await cli("claim", "confirm", "--agent", NOBODY)).refusal().code).toBe("not_found");
  });
});

describe("topic, jobs and sweep", () => {
  test("a topic is added, switched off and on again", async () => {
    const topic = (await cli("topic", "add", "--slug", "tides", "--label", "Tides")).json();
    expect(topic).toMatchObject({ slug: "tides", label: "Tides", enabled: true });
    expect((await cli("topic", "disable", "--slug", "tides")).json()).toMatchObject({ enabled: false });
    expect((await cli("topic", "enable", "--slug", "tides")).json()).toEqual(topic);
    const acts = ["command topic.add", "command topic.disable", "command topic.enable"];
    expect(await auditOf(topic.id)).toEqual(acts);
    expect((await cli("topic", "add", "--slug", "Tides", "--label", " ")).refusal().errors).toEqual({
      slug: [expect.any(String)],
      label: [expect.any(String)],
    });
  });

  test("jobs status counts a dead letter, jobs retry puts it back to work", async () => {
    const boss = new PgBoss({ connectionString: databaseUrl, migrate: false, createSchema: false });
    await boss.start();
    await boss.send("build-feed", { feed_key: "site" }, { retryLimit: 0 });
    const [job] = await boss.fetch("build-feed");
    await boss.fail("build-feed", job?.id ?? "");
    await boss.stop({ graceful: false });
    const failed = async () => {
      const { queues } = (await cli("jobs", "status")).json() as { queues: Record<string, unknown>[] };
      return queues.find((row) => row.queue === "build-feed");
    };
    const row = { queue: "build-feed", waiting: 0, active: 0, delayed: 0, failed: 1, oldest: null };
    expect(await failed()).toEqual(row);
    expect((await cli("jobs", "retry", "--queue", "build-feed")).json()).toEqual({ retried: 1 });
    expect(await failed()).toMatchObject({ waiting: 1, failed: 0, oldest: expect.any(Number) });
    expect(await auditOf("build-feed")).toEqual(["command queue.retry"]);
    expect((await cli("jobs", "retry", "--queue", "feeds")).refusal().message).toContain("inspect-asset");
  });

  test("sweep forgets what is old at the time it is told", async () => {
    const owner = await makeOwner("sweep@example.org");
    const { enrollment_code } = (await cli("code", "issue", "--owner", owner)).json();
    const agent = await redeem(enrollment_code, "swept-one");
    await query(
      `INSERT INTO idempotency_keys (agent_id, key, fingerprint, status, body, created_at)
       VALUES ($1, gen_random_uuid(), repeat('0', 64), 200, '{}', '2026-11-20T09:00:00Z')`,
      [agent],
    );
    const day = async (time: string) => (await cli("sweep", "--now", time)).json().forgotten_answers;
    expect(await day("2026-11-21T08:59:59Z")).toBe(0);
    expect(await day("2026-11-21T10:00:01+01:00")).toBe(1);
    const refusal = (await cli("sweep", "--now", "2026-11-21")).refusal();
    expect(refusal.message).toBe("--now takes a time with its zone, such as 2026-11-20T09:00:00Z.");
  });
});

describe("a line that cannot be read", () => {
  test.for([
    [[], "Name a command"],
    [["owner"], "Name a command"],
    [["fly"], "There is no command fly."],
    [["owner", "creat"], "There is no command creat. Did you mean create?"],
    [["jobs", "status", "--emial", "x"], "There is no option --emial here."],
    [["code", "issue"], "The option --owner <ID> is needed."],
    [["owner", "create", "--email"], "The option --email <E> needs a value."],
    [["owner", "show-alias", "--owner", NOBODY], "The word on|off is missing at the end."],
    [["jobs", "status", "now"], "There are words too many on this line."],
  ] as const)("%j is refused with the mend", async ([args, start]) => {
    const refusal = (await cli(...args)).refusal();
    expect(refusal.code).toBe("validation_failed");
    expect(refusal.message.slice(0, start.length)).toBe(start);
  });

  test("names a variable that is wrong, and a database that does not answer", async () => {
    const wrong = await runEntry("main.ts", ["jobs", "status"], { PORT: "none", DATABASE_URL: databaseUrl });
    expect(wrong.refusal()).toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(/^PORT /),
    });
    const away = await runEntry("main.ts", ["jobs", "status"], {
      DATABASE_URL: "postgres://a:b@127.0.0.1:1/c",
    });
    const message = "The database does not answer: check DATABASE_URL.";
    expect(away.refusal()).toEqual({ code: "server_error", message });
  });

  test.for(
    [
      [["--help"], "owner "],
      ...[
        "owner create",
        "owner sign-in-link",
        "owner show-alias",
        "code issue",
        "code reissue",
        "code revoke",
      ],
      ...[
        "claim confirm",
        "domain verify",
        "domain show",
        "domain hide",
        "topic add",
        "topic disable",
        "topic enable",
        "topic rename",
        "jobs status",
        "jobs retry",
        "sweep",
      ],
    ].map((line) => (typeof line === "string" ? ([[...line.split(" "), "--help"], line] as const) : line)),
  )("%j shows what there is", async ([args, word]) => {
    const help = await cli(...args);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain(word);
  });
});

describe("with a data folder alone", { timeout: 60_000 }, () => {
  test("a command starts PostgreSQL for its own time; the next one finds what it wrote", async () => {
    const folder = await makeTemporaryDataFolder("broadsheet-test-");
    const env = { DATA_DIR: folder };
    try {
      const applied = (await runEntry("migrate.ts", [], env)).json().applied;
      expect(applied).toEqual(expect.arrayContaining(["0001_owners.sql"]));
      expect((await runEntry("migrate.ts", [], env)).json()).toEqual({ applied: [] });
      const args = ["owner", "create", "--email", "nora@example.org"];
      const both = await Promise.all([runEntry("main.ts", args, env), runEntry("main.ts", args, env)]);
      expect(both.map((result) => result.code).toSorted()).toEqual([0, 1]);
      expect(await findOrphans(folder, [])).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
