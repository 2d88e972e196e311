import { PgBoss } from "pg-boss";
import { describe, expect, test } from "vitest";
import { saveSiteUrl } from "../../shared/platform/process/site-url.ts";
import { NOBODY, openCommandLine, SITE } from "../support/command-line.ts";
import { runHere } from "../support/run-here.ts";
import { withCommandLine } from "../support/stored-files.ts";

const { databaseUrl, cli, query, auditOf, makeOwner, makeAgent } = await openCommandLine();

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

describe("the address of the site", () => {
  const linkOf = (env: NodeJS.ProcessEnv) =>
    runHere(["owner", "sign-in-link", "--email", "site@example.org"], {
      DATABASE_URL: databaseUrl,
      DATA_DIR: "/nowhere",
      ...env,
    });

  test("is that of the running service, whatever the command's environment says, which is said", async () => {
    await makeOwner("site@example.org");
    await startAs("https://news.example.org");
    const bare = await linkOf({ PORT: "4000" });
    expect(bare.json().url).toMatch(/^https:\/\/news\.example\.org\/sign-in\//);
    expect(bare.stderr).toBe("");
    const same = await linkOf({ SITE_URL: "https://news.example.org/" });
    expect(same.stderr).toBe("");
    const other = await linkOf({ SITE_URL: "https://old.example.org" });
    expect(other.json().url).toMatch(/^https:\/\/news\.example\.org\/sign-in\//);
    expect(JSON.parse(other.stderr)).toEqual({
      notice:
        "The service was started with SITE_URL=https://news.example.org, so addresses begin with it; " +
        "SITE_URL=https://old.example.org of this command is not used.",
    });
    await query("DELETE FROM service_settings");
  });

  /** Saves the address as the start of an API process does, then as workers of another address do, which changes nothing. */
  async function startAs(site: string): Promise<void> {
    for (const [name, siteUrl] of [
      ["API", "https://first.example.org"],
      ["API", site],
      ["workers", "https://workers.example.org"],
    ] as const) {
      await withCommandLine(databaseUrl, "/nowhere", (deps) =>
        saveSiteUrl({ ...deps, config: { ...deps.config, siteUrl } }, name),
      );
    }
  }
});

describe("what closes something to somebody", () => {
  const reasonsOf = async (subject: string) =>
    await query(
      "SELECT action, detail ->> 'reason' AS reason FROM audit_log WHERE subject_id = $1 ORDER BY id DESC LIMIT 1",
      [subject],
    );

  test("takes a reason, on one line, which the audit keeps; the answer stays as it is", async () => {
    const { owner, agent } = await makeAgent("reasons@example.org", "reasoned");
    const suspended = await cli("agent", "suspend", "--agent", agent, "--reason", " It floods\n the queue. ");
    expect(suspended.json()).toEqual({ agent_id: agent, status: "suspended" });
    expect(await reasonsOf(agent)).toEqual([{ action: "agent.suspend", reason: "It floods the queue." }]);
    expect((await cli("agent", "unsuspend", "--agent", agent)).json().status).toBe("pending_claim");
    expect(await reasonsOf(agent)).toEqual([{ action: "agent.unsuspend", reason: null }]);
    const closed = await cli("owner", "suspend", "--owner", owner, "--reason", "A farm of spam.");
    expect(closed.json()).toEqual({ owner_id: owner, status: "suspended" });
    expect(await reasonsOf(owner)).toEqual([{ action: "owner.suspend", reason: "A farm of spam." }]);
  });

  test("previews forbids an agent its preview links, ends the open ones, and allows new ones", async () => {
    const { agent } = await makeAgent("previews@example.org", "previewed");
    const turn = async (state: string) => await cli("agent", "previews", "--agent", agent, state);
    for (const previews of ["off", "on"])
      expect((await turn(previews)).json()).toEqual({ agent_id: agent, previews, ended: 0 });
    expect((await turn("of")).refusal().code).toBe("validation_failed");
    expect((await cli("agent", "previews", "--agent", NOBODY, "off")).refusal().code).toBe("not_found");
    const acts = (await auditOf(agent)).slice(-2);
    expect(acts).toEqual(["command agent.forbid_previews", "command agent.allow_previews"]);
  });

  test("subscriptions forbids an agent the subscriptions of tool clients, and allows them", async () => {
    const { agent } = await makeAgent("subscriptions@example.org", "subscribed");
    for (const subscriptions of ["off", "on"]) {
      const turned = await cli("agent", "subscriptions", "--agent", agent, subscriptions);
      expect(turned.json()).toEqual({ agent_id: agent, subscriptions, ended: 0 });
    }
    const acts = (await auditOf(agent)).slice(-2);
    expect(acts).toEqual(["command agent.forbid_subscriptions", "command agent.allow_subscriptions"]);
  });

  test("refuses a reason that says nothing or too much, and does nothing then", async () => {
    for (const reason of [" ", "x".repeat(501)]) {
      const refusal = (await cli("agent", "pause", "--agent", NOBODY, "--reason", reason)).refusal();
      expect([refusal.code, Object.keys(refusal.errors ?? {})]).toEqual(["validation_failed", ["reason"]]);
    }
  });
});

describe("erase", () => {
  test("of an agent and of its owner asks for a reason, is done once, and shows in the lists", async () => {
    const { owner, agent } = await makeAgent("erased@example.org", "to-be-erased");
    const bare = (await cli("agent", "erase", "--agent", "@to-be-erased")).refusal();
    expect(bare.message).toContain("The option --reason <TEXT> is needed.");
    const reason = ["--reason", "Order 12 of the court."];
    const erased = (await cli("agent", "erase", "--agent", "@to-be-erased", ...reason)).json();
    expect(erased).toEqual({ agent_id: agent, erased_at: expect.any(String), creations: 0 });
    const again = (await cli("agent", "erase", "--agent", agent, ...reason)).refusal();
    expect([again.code, again.message]).toEqual([
      "revision_content_removed",
      `This agent was erased at ${erased.erased_at}; nothing is left of it.`,
    ]);
    const gone = (await cli("owner", "erase", "--owner", "erased@example.org", ...reason)).json();
    expect(gone).toEqual({ owner_id: owner, erased_at: expect.any(String), agents: 0 });
    for (const [noun, id] of [
      ["agent", agent],
      ["owner", owner],
    ] as const) {
      const { data } = (await cli(noun, "list", "--erased")).json() as { data: Record<string, unknown>[] };
      expect(data).toEqual([expect.objectContaining({ id, erased_at: expect.any(String) })]);
    }
    expect((await cli("creation", "erase", "--creation", NOBODY, ...reason)).refusal().code).toBe(
      "not_found",
    );
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

  test("jobs status counts a dead letter and tells why it failed, jobs retry puts it back to work", async () => {
    const boss = new PgBoss({ connectionString: databaseUrl, migrate: false, createSchema: false });
    await boss.start();
    // Acts of the tests before left some in it.
    await boss.deleteQueuedJobs("build-feed");
    await boss.send("build-feed", { feed_key: "site" }, { retryLimit: 0 });
    const [job] = await boss.fetch("build-feed");
    await boss.fail("build-feed", job?.id ?? "", new Error("the <pen> broke\nat line 7"));
    await boss.stop({ graceful: false });
    type Rows = Record<string, unknown>[];
    const status = async () => (await cli("jobs", "status")).json() as { queues: Rows; failures: Rows };
    const failed = async () => (await status()).queues.find((row) => row.queue === "build-feed");
    expect((await status()).failures).toEqual([
      {
        ...{ queue: "build-feed", reason: "the <pen> broke", payload: { feed_key: "site" } },
        ...{ id: expect.any(String), failed_at: expect.stringMatching(/^\d{4}-.*Z$/) },
      },
    ]);
    const row = { queue: "build-feed", waiting: 0, active: 0, delayed: 0, failed: 1, oldest: null };
    expect(await failed()).toEqual(row);
    expect((await cli("jobs", "retry", "--queue", "build-feed")).json()).toEqual({ retried: 1 });
    expect(await failed()).toMatchObject({ waiting: 1, failed: 0, oldest: expect.any(Number) });
    expect(await auditOf("build-feed")).toEqual(["command queue.retry"]);
    expect((await cli("jobs", "retry", "--queue", "feeds")).refusal().message).toContain("inspect-asset");
  });

  test("sweep forgets what is old at the time it is told", async () => {
    const { agent } = await makeAgent("sweep@example.org", "swept-one");
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
