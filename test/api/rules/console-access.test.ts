import { describe, expect, test } from "vitest";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { runModeratorCommand } from "../../../shared/identity/owners/suspension.ts";
import { type Json, makeCode, publish, publishFrontPage, request, speakAs } from "../../support/agent.ts";
import { requestAndMake } from "../../support/exports.ts";
import { uploadReady } from "../../support/inspection.ts";
import { type OwnerDashboard, openDashboard, sendForm } from "../../support/owner-dashboard.ts";
import { openService, untilJobsAreDone } from "../../support/service.ts";
import { dumpTables, runSql } from "../../support/tables.ts";
import { listRoutes } from "./console-routes.ts";

/** Every route of the console as it is registered, so that a new one cannot be left out of this table. */
const ROUTES = listRoutes();
/** Addresses that hold nothing of one owner: what they show is always the asker's own. */
const MODERATORS_ROUTES = ROUTES.filter(({ url }) => url.startsWith("/console/moderation"));
const OWN = ["/console", "/console/codes", "/console/pause-all", "/console/audit", "/console/account"];

/** What a page tells of the owner, beside the address that was asked for. */
const tells = (text: string, asked: string) =>
  secrets.filter((secret) => text.replaceAll(asked, "").includes(secret));

const send = (
  dashboard: OwnerDashboard,
  { method, url }: { method: string; url: string },
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) => (method === "GET" ? dashboard.get(address(url)) : dashboard.post(address(url), fields, headers));
const service = await openService({ config: { signUp: "invite" } });
const owner = await openDashboard(service, "Nora Doors");
const stranger = await openDashboard(service);
const moderator = await openDashboard(service);
await runModeratorCommand(service.deps, COMMAND_LINE, moderator.email, "grant");
const handle = "door-keeper";
const payload = { enrollment_code: await makeCode(service, owner.ownerId), handle };
const enrolled = await request(service, { method: "POST", url: "/api/v1/agents", payload });
const { agent: made, token, claim_url } = enrolled.json.data;
await owner.post(new URL(claim_url).pathname);
const agent = speakAs(service, { id: made.id, handle, ownerId: owner.ownerId, token });
await publishFrontPage(agent);
const asset = await uploadReady(service, agent, "secret.csv", "a\n1\n");
const attachments = [{ asset_id: asset.id, label: "Hidden figures" }];
const body = { type: "dataset", payload: { title: "Hidden work", attachments } };
const creation: Json = (await agent.send("POST", "/creations", body)).json.data;
await publish(agent, creation);
await owner.post("/console/codes", { handle: "door-second" });
await owner.post("/console/account/email", { email: "door-new@example.org" });
const [tokens, codes, sessions] = await Promise.all([
  runSql(service, "SELECT id FROM tokens WHERE agent_id = $1", [agent.id]),
  runSql(service, "SELECT id FROM enrollments WHERE handle = 'door-second'"),
  runSql(service, "SELECT id FROM sessions WHERE owner_id = $1", [owner.ownerId]),
]);
await runSql(
  service,
  `INSERT INTO passkeys (id, owner_id, credential_id, public_key, counter, transports, name, created_at)
     VALUES ('01M7WTZ900ZT61DVV9HAWP9BWP', $1, 'credential', '\\x00', 0, '{}', 'Hidden key', now())`,
  [owner.ownerId],
);
await owner.post("/console/domains", { domain: "hidden-domain.org" });
const [domain] = await runSql(service, "SELECT id FROM domains");
await owner.post("/console/invitations", { invitee: "hidden-guest@example.org" });
const [invitation] = await runSql(service, "SELECT id FROM invitations");
const receiver = { url: "https://hidden-hooks.example.org/", "type-creation.published": "yes" };
await owner.post("/console/webhooks", receiver);
const [webhook] = await runSql(service, "SELECT webhook_id AS id, message_id FROM webhook_deliveries");
const archive = await requestAndMake(service, owner);
// A worker that draws, or writes a feed or Parquet, would change a row between two looks at every table.
await untilJobsAreDone(service);
const untouched = await dumpTables(service);
const values: Record<string, string> = {
  "/console/exports/:id": archive.id,
  "/console/domains/:id": domain.id,
  "/console/invitations/:id": invitation.id,
  "/console/webhooks/:id": webhook.id,
  "/console/codes/:id": codes[0]?.id,
  "/console/agents/:id": agent.id,
  "/console/works/:id": creation.id,
  "/console/moderation/agents/:id": agent.id,
  "/console/moderation/creations/:id": creation.id,
  "/console/moderation/topics/:slug": "climate",
  "/console/moderation/blocks/:id": "01M7WTZ900ZT61DVV9HAWP9BWQ",
  "/console/sessions/:id": sessions[0]?.id,
  "/console/passkeys/:id": "01M7WTZ900ZT61DVV9HAWP9BWP",
  "/claim/:secret": new URL(claim_url).pathname.slice("/claim/".length),
  "/console/email/:secret": "a".repeat(43),
};
const address = (pattern: string) => {
  const start = Object.keys(values).find((one) => pattern.startsWith(one));
  const filled = start ? pattern.replace(/:\w+/, values[start] ?? "") : pattern;
  const named = filled.replace(":token", tokens[0]?.id).replace(":message", webhook.message_id);
  return named.replace(":number", "1").replace(":asset", asset.id);
};
const secrets = [
  handle,
  "hidden-domain",
  "hidden-guest",
  "hidden-hooks",
  "Hidden",
  "door-second",
  "Nora Doors",
  owner.email,
  agent.id,
  creation.id,
  "secret.csv",
];

test("the table holds every room of the console", () => {
  expect(ROUTES.length).toBeGreaterThanOrEqual(35);
  expect(ROUTES.filter(({ method }) => method !== "GET" && method !== "POST")).toEqual([]);
});

describe.each(ROUTES)("$method $url", (route) => {
  const { method, url } = route;

  test("without a session it is the sign-in page, tells nothing and changes nothing", async () => {
    const asked = address(url);
    for (const cookie of ["", `__Host-bs=${"a".repeat(43)}`]) {
      const reply =
        method === "GET"
          ? await request(service, { method: "GET", url: asked, headers: { cookie } })
          : await sendForm(service, asked, { csrf: "x", sure: "yes" }, { cookie });
      expect([reply.text.includes('name="email"'), tells(reply.text, asked)]).toEqual([true, []]);
      expect(reply.status).toBe(method === "GET" ? 200 : 401);
      expect(reply.headers["cache-control"]).toBe("no-store");
    }
    expect(await dumpTables(service)).toBe(untouched);
  });
});

// What every owner has for itself is tried by its own tests; here only what it shows counts.
const FOREIGN = ROUTES.filter(({ method, url }) => method === "GET" || url.includes(":"));

test.each(FOREIGN)("$method $url shows another owner nothing and changes nothing", async (route) => {
  const reply = await send(stranger, route, { sure: "yes", days: "7", hours: "24", name: "x" });
  const isNothing = route.url.includes(":") || MODERATORS_ROUTES.includes(route);
  expect([reply.status, tells(reply.text, address(route.url))]).toEqual([isNothing ? 404 : 200, []]);
  expect(await dumpTables(service)).toBe(untouched);
});

const dashboardOf = (route: { url: string }) =>
  MODERATORS_ROUTES.some(({ url }) => url === route.url) ? moderator : owner;

test.each(ROUTES.filter(({ method }) => method === "GET"))(
  "looking at $url changes nothing",
  async (route) => {
    const dashboard = dashboardOf(route);
    const reply = await send(dashboard, route);
    const { cookie } = dashboard;
    await request(service, { method: "HEAD", url: address(route.url), headers: { cookie } });
    expect([200, 303, 404]).toContain(reply.status);
    expect(await dumpTables(service)).toBe(untouched);
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(reply.headers["content-security-policy"]).toContain("default-src 'none'");
  },
);

test.each(ROUTES.filter(({ method }) => method === "POST"))(
  "a form to $url without its token, or from another site, is forbidden",
  async (route) => {
    for (const [fields, headers] of [
      [{ csrf: "" }, {}],
      [{ csrf: "wrong" }, {}],
      [{}, { origin: "https://evil.example" }],
      [{}, { origin: "null" }],
      [{}, { "sec-fetch-site": "cross-site" }],
    ] as [Record<string, string>, Record<string, string>][]) {
      const reply = await send(dashboardOf(route), route, { sure: "yes", ...fields }, headers);
      expect([reply.status, reply.json?.code]).toEqual([403, "forbidden"]);
    }
    expect(await dumpTables(service)).toBe(untouched);
  },
);

test("addresses that every owner has are the only ones without a name in them", () => {
  const nameless = ROUTES.filter(({ url }) => !url.includes(":")).map(({ url }) => url);
  const known = [...OWN, "/console/audit.csv", "/console/audit.ndjson", "/console/account/alias"];
  const more = [
    "/console/account/email",
    "/console/domains",
    "/console/exports",
    "/console/invitations",
    "/console/leave",
    "/console/passkeys",
    "/console/passkeys/options",
    "/console/sessions/end-all",
    "/console/webhooks",
  ];
  const moderators = ["/console/moderation", "/console/moderation/blocks", "/console/moderation/topics"];
  expect([...new Set(nameless)].sort()).toEqual([...known, ...more, ...moderators].sort());
});

test("the table knows the moderators' addresses", () => {
  expect(MODERATORS_ROUTES.length).toBeGreaterThanOrEqual(14);
});

test.each(MODERATORS_ROUTES)(
  "$method $url is nothing to an owner, to a former moderator and to a suspended one",
  async (route) => {
    const { deps } = service;
    const refused = await openDashboard(service);
    const fields = { sure: "yes", act: "hide", reason: "Because.", slug: "new-one", label: "New" };
    const before = await dumpTables(service);
    for (const dashboard of [owner, refused]) {
      const replies = [
        await send(dashboard, route, fields),
        await send(dashboard, route, { ...fields, csrf: "wrong" }),
      ];
      expect(replies.map(({ status, json }) => [status, json?.code ?? "page"])).toEqual([
        [404, expect.anything()],
        [404, expect.anything()],
      ]);
    }
    expect(await dumpTables(service)).toBe(before);
    await runModeratorCommand(deps, COMMAND_LINE, refused.email, "grant");
    if (route.method === "GET") expect([200, 303, 404]).toContain((await send(refused, route)).status);
    await runSql(service, "UPDATE owners SET status = 'suspended' WHERE id = $1", [refused.ownerId]);
    expect((await send(refused, route, fields)).status).toBe(404);
    await runSql(service, "UPDATE owners SET status = 'active' WHERE id = $1", [refused.ownerId]);
    await runModeratorCommand(deps, COMMAND_LINE, refused.email, "revoke");
    expect((await send(refused, route, fields)).status).toBe(404);
  },
);
