import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CommandLine, NOBODY, openCommandLine, SITE } from "../support/command-line.ts";

let line: CommandLine;
let databaseUrl: string;
let cli: CommandLine["cli"];
let query: CommandLine["query"];
let auditOf: CommandLine["auditOf"];
let makeOwner: CommandLine["makeOwner"];
let redeem: CommandLine["redeem"];

beforeAll(async () => {
  line = await openCommandLine();
  ({ databaseUrl, cli, query, auditOf, makeOwner, redeem } = line);
});
afterAll(async () => {
  await line.close();
});

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

describe("what closes something to somebody", () => {
  const reasonsOf = async (subject: string) =>
    await query(
      "SELECT action, detail ->> 'reason' AS reason FROM audit_log WHERE subject_id = $1 ORDER BY id DESC LIMIT 1",
      [subject],
    );

  test("takes a reason, on one line, which the audit keeps; the answer stays as it is", async () => {
    const owner = await makeOwner("reasons@example.org");
    const { enrollment_code } = (await cli("code", "issue", "--owner", owner)).json();
    const agent = await redeem(enrollment_code, "reasoned");
    const suspended = await cli("agent", "suspend", "--agent", agent, "--reason", " It floods\n the queue. ");
    expect(suspended.json()).toEqual({ agent_id: agent, status: "suspended" });
    expect(await reasonsOf(agent)).toEqual([{ action: "agent.suspend", reason: "It floods the queue." }]);
    expect((await cli("agent", "unsuspend", "--agent", agent)).json().status).toBe("pending_claim");
    expect(await reasonsOf(agent)).toEqual([{ action: "agent.unsuspend", reason: null }]);
    const closed = await cli("owner", "suspend", "--owner", owner, "--reason", "A farm of spam.");
    expect(closed.json()).toEqual({ owner_id: owner, status: "suspended" });
    expect(await reasonsOf(owner)).toEqual([{ action: "owner.suspend", reason: "A farm of spam." }]);
  });

  test("refuses a reason that says nothing or too much, and does nothing then", async () => {
    for (const reason of [" ", "x".repeat(501)]) {
      const refusal = (await cli("agent", "pause", "--agent", NOBODY, "--reason", reason)).refusal();
      expect([refusal.code, Object.keys(refusal.errors ?? {})]).toEqual(["validation_failed", ["reason"]]);
    }
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
    expect((await cli("topic", "add", "--slug", "hidden", "--label", "\u3164")).refusal().errors).toEqual({
      label: ["The label holds an invisible character, U+3164; remove it."],
    });
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
