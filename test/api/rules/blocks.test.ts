import { describe, expect, test } from "vitest";
import { listEntries } from "../../../shared/care/administration/list-entries.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { createOwner } from "../../../shared/identity/sign-in/sign-in-links.ts";
import { connectAgent, connectAuthor, type Json, request } from "../../support/agent.ts";
import { openDashboard } from "../../support/owner-dashboard.ts";
import { until } from "../../support/service-process.ts";
import { runSql } from "../../support/tables.ts";
import { serveWithoutBlocks } from "./block-site.ts";

const site = serveWithoutBlocks();

/** Asks for a sign-in link as a browser does; returns the answer without its id. */
async function askLink(email: string): Promise<{ status: number; text: string }> {
  const page = await request(site.service, { method: "GET", url: "/sign-in" });
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const reply = await request(site.service, {
    method: "POST",
    url: "/sign-in",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: "http://localhost:3000" },
    payload: new URLSearchParams({ csrf, email }).toString(),
  });
  return { status: reply.status, text: reply.text };
}

async function makeOwner(email: string): Promise<string> {
  return ((await site.cli("owner", "create", "--email", email)).json() as Json).owner_id;
}

describe("a blocked e-mail address or domain", () => {
  test("gets no sign-in link, and the page answers as it answers everybody", async () => {
    await makeOwner("nora@spam.example.com");
    await makeOwner("nora@ham.example.org");
    await site.command("block", "--email-domain", "Example.com", "--reason", "Only spam.");
    const blocked = await askLink("nora@spam.example.com");
    expect(blocked).toEqual(await askLink("nobody@example.net"));
    expect(blocked).toEqual(await askLink("nora@ham.example.org"));
    await until(async () => site.mails.length > 0, 5_000);
    expect(site.mails).toEqual(["nora@ham.example.org"]);
    const links = await runSql(
      site.service,
      "SELECT o.email FROM sign_in_links l JOIN owners o ON o.id = l.owner_id",
    );
    expect(links).toEqual([{ email: "nora@ham.example.org" }]);
  });

  test.each([
    ["--email-domain", "example.com", "a@example.com", true],
    ["--email-domain", "example.com", "a@deep.below.example.com", true],
    ["--email-domain", "@EXAMPLE.com", "A@Example.Com", true],
    ["--email-domain", "bücher.example", "a@xn--bcher-kva.example", true],
    ["--email-domain", "xn--bcher-kva.example", "a@bücher.example", true],
    ["--email-domain", "example.com", "a@notexample.com", false],
    ["--email-domain", "below.example.com", "a@example.com", false],
    ["--email", "A@example.net", "a@example.net", true],
    ["--email", "a@bücher.example", "a@xn--bcher-kva.example", true],
    ["--email", "a@example.net", "b@example.net", false],
  ])("%s %s: no account is opened for %s: %s", async (option, value, email, isBlocked) => {
    await site.command("block", option, value);
    const made = await site.cli("owner", "create", "--email", email);
    if (isBlocked) {
      expect(made.refusal().errors).toEqual({
        email: [expect.stringMatching(/^This e-mail address is blocked\./)],
      });
      await site.command("unblock", option, value);
      expect((await site.cli("owner", "create", "--email", email)).code).toBe(0);
    } else expect(made.code).toBe(0);
    await runSql(site.service, "DELETE FROM owners WHERE email = lower($1)", [email]);
  });

  test("gets no link from a command, and an account does not move to it", async () => {
    const owner = await openDashboard(site.service);
    await site.command("block", "--email", owner.email);
    const refusal = (await site.cli("owner", "sign-in-link", "--email", owner.email)).refusal();
    expect(refusal.message).toMatch(/^This e-mail address is blocked\./);
    await site.command("block", "--email", "next@example.net");
    await owner.post("/console/account/email", { email: "next@example.net" });
    expect(site.mails).toEqual([owner.email]);
    await site.command("unblock", "--email", "next@example.net");
    await owner.post("/console/account/email", { email: "next@example.net" });
    expect(site.mails).toEqual([owner.email, "next@example.net", owner.email]);
  });

  test("is open again when its time is over", async () => {
    const ends = new Date(site.service.clock.nowMs + 60_000).toISOString();
    await site.command("block", "--email-domain", "example.net", "--until", "2027-01-01T00:00:00Z");
    await runSql(site.service, "UPDATE blocks SET until = $1", [ends]);
    const create = () =>
      createOwner(site.service.deps, COMMAND_LINE, { email: "late@example.net", alias: null });
    await expect(create()).rejects.toMatchObject({ code: "validation_failed" });
    site.service.clock.nowMs += 60_000;
    expect(await create()).toMatchObject({ email: "late@example.net" });
    const { data } = (await listEntries(site.service.deps, "block", {})) as Json;
    expect(data).toMatchObject([{ value: "example.net", state: "expired" }]);
  });
});

describe("a blocked network", () => {
  const ask = (remoteAddress: string, url = "/", more: Json = {}) =>
    request(site.service, { method: "GET", url, remoteAddress, ...more });
  const block = async (...networks: string[]) => {
    for (const network of networks) await site.command("block", "--network", network);
    await site.service.blockedNetworks.refresh(site.service.deps);
  };

  test.each([
    ["203.0.113.0/24", "203.0.113.255", 403],
    ["203.0.113.77/24", "203.0.113.1", 403],
    ["203.0.113.0/24", "203.0.114.0", 200],
    ["203.0.113.7", "203.0.113.7", 403],
    ["203.0.113.7", "203.0.113.8", 200],
    ["203.0.113.0/24", "::ffff:203.0.113.9", 403],
    ["::ffff:203.0.113.0/120", "203.0.113.9", 403],
    ["::FFFF:cb00:7107", "203.0.113.7", 403],
    ["2001:DB8::/32", "2001:db8:1::1", 403],
    ["2001:db8::/32", "2001:db9::1", 200],
    ["2001:db8::1", "2001:db8:0:0:0:0:0:1", 403],
  ])("%s: a request from %s is answered with %i", async (network, address, status) => {
    await block(network);
    expect((await ask(address)).status).toBe(status);
  });

  test("reads nothing of a request: no statement, no body, no session", async () => {
    const agent = await connectAgent(site.service);
    await block("203.0.113.0/24");
    site.service.statements.length = 0;
    for (const [method, url] of [
      ["GET", "/"],
      ["GET", "/api/v1/agent"],
      ["POST", "/api/v1/creations"],
      ["POST", "/mcp"],
      ["GET", "/no/such/page"],
      ["OPTIONS", "/api/v1/topics"],
    ] as const) {
      const headers = { authorization: `Bearer ${agent.token}`, "content-type": "application/json" };
      const payload = method === "POST" ? "{not json" : undefined;
      const reply = await ask("203.0.113.7", url, { method, headers, payload });
      expect([url, reply.status, reply.json.code]).toEqual([url, 403, "network_blocked"]);
    }
    expect(site.service.statements).toEqual([]);
    const page = await ask("203.0.113.7", "/", { headers: { accept: "text/html" } });
    expect(page.status).toBe(403);
    expect(page.text).toContain("Access from this network is blocked.");
  });

  test("counts by the address that the trusted proxies name, and by no other", async () => {
    await block("203.0.113.0/24");
    const forwarded = (address: string) => ({ headers: { "x-forwarded-for": address } });
    expect((await ask("10.9.9.9", "/", forwarded("203.0.113.7"))).status).toBe(403);
    expect((await ask("10.9.9.9", "/", forwarded("203.0.113.7, 198.51.100.1"))).status).toBe(200);
    expect((await ask("198.51.100.1", "/", forwarded("203.0.113.7"))).status).toBe(200);
    expect((await ask("203.0.113.7", "/", forwarded("198.51.100.1"))).status).toBe(403);
    expect((await ask("10.9.9.9", "/", forwarded("rubbish"))).status).toBe(200);
  });

  test("is refused at pages that the process has cached as well", async () => {
    const agent = await connectAuthor(site.service);
    const { port } = new URL(await site.service.app.listen({ port: 0, host: "127.0.0.1" }));
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    const page = `/@${agent.handle}`;
    expect([await get(page), await get(page)]).toEqual([200, 200]);
    await block("127.0.0.0/8");
    expect([await get(page), await get(page)]).toEqual([403, 403]);
    expect([await get("/healthz"), await get("/readyz")]).toEqual([200, 200]);
    await site.command("unblock", "--network", "127.0.0.1/8");
    await site.service.blockedNetworks.refresh(site.service.deps);
    expect(await get(page)).toBe(200);
  });
});
