import { beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../support/agent.ts";
import { type OwnerDashboard, openDashboard } from "../../support/owner-dashboard.ts";
import { runSql } from "../../support/tables.ts";
import { serveWithoutBlocks } from "./block-site.ts";

const site = serveWithoutBlocks();

describe("the commands", () => {
  test("block, list and lift, and say what they did", async () => {
    const made = await site.command("block", "--network", "203.0.113.9/24", "--reason", "A flood.");
    expect(made).toEqual({
      ...{ id: expect.stringMatching(/^\w{26}$/), kind: "network", value: "203.0.113.0/24" },
      ...{ reason: "A flood.", until_at: null },
    });
    const again = await site.command(
      "block",
      "--network",
      "203.0.113.0/24",
      "--until",
      "2099-01-01T00:00:00Z",
    );
    expect(again).toMatchObject({ id: made.id, reason: null, until_at: "2099-01-01T00:00:00Z" });
    await site.command("block", "--email-domain", "example.com");
    await site.command("block", "--email", "a@example.net");
    const { data, next_cursor } = await site.command("blocks", "--limit", "2");
    expect(data.map(({ value }: Json) => value)).toEqual(["a@example.net", "example.com"]);
    const rest = await site.command("blocks", "--limit", "2", "--cursor", next_cursor);
    expect(rest).toMatchObject({
      data: [{ kind: "network", state: "active", until_at: "2099-01-01T00:00:00Z" }],
      next_cursor: null,
    });
    expect((await site.command("blocks", "--kind", "email")).data).toHaveLength(1);
    expect((await site.command("blocks", "--state", "expired")).data).toEqual([]);
    expect((await site.cli("site", "blocks", "--format", "table")).stdout).toContain("203.0.113.0/24");
    expect(await site.command("unblock", "--network", "203.0.113.0/24")).toEqual({
      ...{ id: made.id, kind: "network", value: "203.0.113.0/24", status: "lifted" },
    });
  });

  test("are recorded, without an e-mail address", async () => {
    const before = await runSql(site.service, "SELECT coalesce(max(id), 0) AS id FROM audit_log");
    await site.command("block", "--email", "secret@example.net");
    await site.command("unblock", "--email", "secret@example.net");
    await site.command("block", "--email-domain", "example.com");
    const acts = await runSql(
      site.service,
      "SELECT actor_kind, action, detail FROM audit_log WHERE id > $1 ORDER BY id",
      [before[0].id],
    );
    expect(acts).toEqual([
      { actor_kind: "command", action: "block.add", detail: { kind: "email" } },
      { actor_kind: "command", action: "block.lift", detail: { kind: "email" } },
      { actor_kind: "command", action: "block.add", detail: { kind: "email_domain", value: "example.com" } },
    ]);
    expect(JSON.stringify(await runSql(site.service, "SELECT * FROM blocks"))).not.toContain("secret");
  });

  test.each([
    [["block"], "Name one e-mail domain, one e-mail address or one network."],
    [["block", "--email", "a@example.net", "--network", "203.0.113.7"], "Name one e-mail domain"],
    [["block", "--email", "nobody"], "The email must be an address"],
    [["block", "--email-domain", "com"], "The e-mail domain must be a name such as example.org."],
    [["block", "--email-domain", "https://example.com/"], "The e-mail domain must be a name"],
    [["block", "--network", "203.0.113"], "The network must be an address such as 203.0.113.7"],
    [["block", "--network", "203.0.113.0/33"], "The network must be"],
    [["block", "--network", "203.0.113.0/24/1"], "The network must be"],
    [["block", "--network", "203.0.113.0/-1"], "The network must be"],
    [["block", "--network", "fe80::1%eth0"], "The network must be"],
    [["block", "--network", "0.0.0.0/0"], "0.0.0.0/0 is too wide"],
    [["block", "--network", "::/0"], "::/0 is too wide"],
    [["block", "--network", "::ffff:0:0/96"], "0.0.0.0/0 is too wide"],
    [["block", "--network", "203.0.113.7", "--until", "tomorrow"], "--until takes a time with its zone"],
    [["block", "--network", "203.0.113.7", "--until", "2001-01-01T00:00:00Z"], "The end of a block must be"],
    [
      ["unblock", "--email-domain", "exampel.com"],
      "There is no block of the e-mail domain exampel.com. Did you mean example.com?",
    ],
    [["blocks", "--kind", "mail"], "There is no kind mail. Did you mean email?"],
  ])("%j is refused", async (words, start) => {
    await site.command("block", "--email-domain", "example.com");
    const refusal = (await site.cli("site", ...words)).refusal();
    expect(refusal.message.slice(0, start.length)).toBe(start);
    expect(await runSql(site.service, "SELECT value FROM blocks")).toEqual([{ value: "example.com" }]);
  });
});

describe("the moderators' list", () => {
  const PAGE = "/console/moderation/blocks";
  let moderator: OwnerDashboard;
  beforeAll(async () => {
    moderator = await openDashboard(site.service, "Moderator");
    await site.cli("moderator", "grant", "--email", moderator.email);
  });

  test("shows every block, adds and lifts them, and is recorded as the moderator's act", async () => {
    expect((await moderator.get(PAGE)).text).toContain("Nothing is blocked.");
    const fields = { kind: "network", value: "203.0.113.0/24", reason: "A flood.", until: "2099-01-01" };
    expect((await moderator.post(PAGE, fields)).status).toBe(303);
    const { text } = await moderator.get(PAGE);
    expect(text).toContain("203.0.113.0/24");
    expect(text).toContain("A flood.");
    const [row] = await runSql(site.service, "SELECT id, until FROM blocks");
    expect(row.until.toISOString()).toBe("2099-01-01T00:00:00.000Z");
    expect((await moderator.post(`${PAGE}/${row.id}/lift`)).status).toBe(303);
    expect(await runSql(site.service, "SELECT id FROM blocks")).toEqual([]);
    expect((await moderator.post(`${PAGE}/${row.id}/lift`)).status).toBe(404);
    const acts = await runSql(
      site.service,
      "SELECT action, actor_id FROM audit_log WHERE subject_id = $1 ORDER BY id",
      [row.id],
    );
    expect(acts).toEqual([
      { action: "block.add", actor_id: moderator.ownerId },
      { action: "block.lift", actor_id: moderator.ownerId },
    ]);
  });

  test("says what is wrong beside the form, and keeps what was typed", async () => {
    const reply = await moderator.post(PAGE, { kind: "email", value: "no <address>", reason: "" });
    expect(reply.status).toBe(422);
    expect(reply.text).toContain("The email must be an address");
    expect(reply.text).toContain("no &lt;address&gt;");
    expect((await moderator.post(PAGE, { kind: "colour", value: "x" })).status).toBe(422);
    const until = { kind: "email", value: "a@example.net", until: "someday" };
    expect((await moderator.post(PAGE, until)).status).toBe(422);
  });

  test("does not block the moderator's own network", async () => {
    const reply = await moderator.post(PAGE, { kind: "network", value: "127.0.0.1" });
    expect(reply.status).toBe(422);
    expect(reply.text).toContain("You are in this network yourself");
  });

  test("goes from page to page", async () => {
    await runSql(
      site.service,
      `INSERT INTO blocks (id, kind, value, created_at)
       SELECT lpad(n::text, 26, '0'), 'email', 'a' || n || '@example.net', now() FROM generate_series(1, 51) n`,
    );
    const first = await moderator.get(PAGE);
    expect(first.text).toContain("a51@example.net");
    expect(first.text).not.toContain("a1@example.net");
    const older = /href="([^"]*cursor=[^"]*)"/.exec(first.text)?.[1] ?? "";
    expect((await moderator.get(older)).text).toContain("a1@example.net");
  });
});
