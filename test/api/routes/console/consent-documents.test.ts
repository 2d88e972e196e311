import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { createOwner } from "../../../../shared/identity/sign-in/sign-in-links.ts";
import { connectAgent, request } from "../../../support/agent.ts";
import { allow } from "../../../support/allow.ts";
import { mailsTo } from "../../../support/mail-folder.ts";
import {
  allowAll,
  askConsent,
  exchange,
  readAnswer,
  refresh,
  registerTestClient,
} from "../../../support/oauth.ts";
import { csrfIn, openDashboard, sendForm } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";

const LOOPBACK = "http://127.0.0.1:4711/callback";

/** What the outside answers with, and what it was asked. */
let told: { status: number; headers: Record<string, string>; body: string };
let asked: IncomingMessage[];

const outside = createServer((request, reply) => {
  asked.push(request);
  reply.writeHead(told.status, told.headers).end(told.body);
});

await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
const host = `127.0.0.1:${(outside.address() as AddressInfo).port}`;
const root = `http://${host}`;
const service = await openService({ workers: false, config: { outboundAllow: allow(host) } });
const owner = await openDashboard(service);
const agent = await connectAgent(service, { ownerId: owner.ownerId });

afterAll(async () => {
  outside.close();
});
beforeEach(() => {
  asked = [];
});

let documents = 0;

/** The address of a document that nobody has read, which the outside answers with from now on. */
function tell(more: object = {}, answer: Partial<typeof told> = {}): string {
  const url = `${root}/clients/${++documents}.json`;
  const document = { client_id: url, client_name: "Tide Desk", redirect_uris: [LOOPBACK], ...more };
  told = { status: 200, headers: {}, body: JSON.stringify(document), ...answer };
  return url;
}

const ask = (clientId: string, redirect = LOOPBACK) => askConsent(clientId, { redirect_uri: redirect });

test("a client that a document describes is connected, from any port of this computer, at an address that it names", async () => {
  const request = ask(tell(), "http://127.0.0.1:9999/callback");
  const page = await owner.get(request.url);
  expect(page.text).toContain("<bdi>Tide Desk</bdi>");
  expect(page.text).toContain(`<bdi>${new URL(root).host}</bdi>`);
  expect(page.text).toContain("This program lives on a computer");
  expect([asked[0]?.headers.accept, asked[0]?.headers.cookie]).toEqual(["application/json", undefined]);
  const { code = "" } = readAnswer(await owner.post(request.url, allowAll(agent.id)));
  const redirect_uri = "http://127.0.0.1:9999/callback";
  const granted = (await exchange(service, request, code, { redirect_uri })).json;
  expect((await refresh(service, request.clientId, granted.refresh_token)).status).toBe(200);
  const elsewhere = await owner.get(ask(tell(), "http://127.0.0.1:4711/other").url);
  expect([elsewhere.status, elsewhere.headers.location]).toEqual([400, undefined]);
});

const BROKEN: [string, () => string, string][] = [
  ["names another client", () => tell({ client_id: `${root}/other.json` }), "another client_id"],
  ["names no redirect address", () => tell({ redirect_uris: [] }), "no redirect address"],
  [
    "names only what may not be used",
    () => tell({ redirect_uris: ["javascript:alert(1)"] }),
    "no redirect address",
  ],
  ["asks for a secret", () => tell({ token_endpoint_auth_method: "client_secret_post" }), "client secret"],
  ["is no JSON", () => tell({}, { body: "<html>" }), "no JSON object"],
  ["is a list", () => tell({}, { body: "[]" }), "no JSON object"],
  ["is longer than 5 KiB", () => tell({ filler: "x".repeat(5 * 1024) }), "longer than it may be"],
  [
    "is a redirect",
    () => tell({}, { status: 302, headers: { location: `${root}/other.json` } }),
    "status 302",
  ],
  ["is missing", () => tell({}, { status: 404 }), "status 404"],
];
test.each(BROKEN)("a document that %s connects nobody", async (_, make, words) => {
  const reply = await owner.get(ask(make()).url);
  expect([reply.status, reply.headers.location]).toEqual([400, undefined]);
  expect(reply.text).toContain(words);
  expect(reply.text).not.toContain("..<");
});

test.each([
  ["http://10.0.0.1/client.json", "must begin with https://"],
  ["https://10.0.0.1/client.json", "private or local address"],
  ["https://app.example.org:8443/client.json", "no other port than 443"],
  ["https://app.example.org/", "not known here"],
  ["https://app.example.org/a/../client.json", "not known here"],
  ["https://user@app.example.org/client.json", "not known here"],
  ["https://app.example.org/client.json#x", "not known here"],
  ["ftp://app.example.org/client.json", "not known here"],
])("nothing is read at %s", async (clientId, words) => {
  const reply = await owner.get(ask(clientId).url);
  expect(reply.status).toBe(400);
  expect(reply.text).toContain(words);
  expect(asked).toEqual([]);
});

test("nobody without a session makes the service read anything", async () => {
  const { url } = ask(tell());
  expect((await service.app.inject({ method: "GET", url })).statusCode).toBe(200);
  expect(asked).toEqual([]);
});

test.each([
  ["no header", {}, 300],
  ["an hour", { "cache-control": "public, max-age=3600" }, 3600],
  ["an hour, half of it spent", { "cache-control": "max-age=3600", age: "1800" }, 1800],
  ["a second", { "cache-control": "max-age=1" }, 30],
  ["no-store", { "cache-control": "no-store, max-age=500" }, 30],
  ["a year", { "cache-control": "max-age=31536000" }, 86_400],
])("a document is kept as its cache headers say: %s", async (_, headers, seconds) => {
  const request = ask(tell({}, { headers }));
  await owner.get(request.url);
  service.clock.nowMs += seconds * 1000 - 1;
  await owner.get(request.url);
  expect(asked).toHaveLength(1);
  service.clock.nowMs += 1;
  told.body = told.body.replace("Tide Desk", "Ebb Desk");
  expect((await owner.get(request.url)).text).toContain("<bdi>Ebb Desk</bdi>");
  expect(asked).toHaveLength(2);
});

test("a client that lies about its name is shown with its host, without what could mislead", async () => {
  const hostile = `Claude\u202e\u200b by\nAnthropic${" x".repeat(200)}<script>`;
  const redirects = ["https://xn--claud-9ya.example/callback"];
  const page = await owner.get(
    ask(tell({ client_name: hostile, redirect_uris: redirects }), redirects[0]).url,
  );
  const [name = ""] = /<bdi>Claude.*?<\/bdi>/.exec(page.text) ?? [];
  expect(name).toMatch(/^<bdi>Claude by Anthropic( x)+…<\/bdi>$/);
  expect(name.length).toBeLessThan(80);
  expect(page.text).toContain("<bdi>xn--claud-9ya.example</bdi>");
  expect(page.text).toContain("Letters that can mislead");
  expect(page.text).toContain("Two hosts");
});

const readEscaped = (html: string) => html.replaceAll("&amp;", "&");

test("an owner without a session signs in by mail and comes back to the whole request", async () => {
  const email = "nora@example.org";
  await createOwner(service.deps, COMMAND_LINE, { email, alias: null });
  const state = "a state/with=signs&more";
  const { url } = askConsent(await registerTestClient(service), { state });
  const asked = await request(service, { method: "GET", url });
  expect(asked.status).toBe(200);
  expect(asked.headers["content-security-policy"]).not.toContain("form-action");
  const next = readEscaped(/name="next" value="([^"]+)"/.exec(asked.text)?.[1] ?? "");
  expect(next).toBe(url);
  await sendForm(service, "/sign-in", { csrf: csrfIn(asked), email, next }, {});
  await until(async () => (await mailsTo(service, email)).length === 1, 10_000);
  const [mail = ""] = await mailsTo(service, email);
  const link = new URL(/http:\/\/localhost:3000\/sign-in\/\S+/.exec(mail)?.[0] ?? "");
  const page = await request(service, { method: "GET", url: `${link.pathname}${link.search}` });
  const fields = {
    csrf: csrfIn(page),
    next: readEscaped(/name="next" value="([^"]+)"/.exec(page.text)?.[1] ?? ""),
  };
  const entered = await sendForm(service, link.pathname, fields, {});
  expect([entered.status, entered.headers.location]).toEqual([303, url]);
  const cookie = String(entered.headers["set-cookie"]).split(";")[0] ?? "";
  const back = await request(service, { method: "GET", url, headers: { cookie } });
  expect(back.text).toContain("Test Program");
});

test.each([
  "//evil.example/oauth/authorize?x=1",
  "/oauth/authorize?x=\\evil",
  "/oauth/authorize?x=1\r\nSet-Cookie: a=b",
  "/oauth/authorize@evil.example?x=1",
  "/oauth/authorized?x=1",
  `/oauth/authorize?x=${"y".repeat(5000)}`,
])("a sign-in does not lead on to %j", async (next) => {
  const page = await request(service, { method: "GET", url: `/sign-in?${new URLSearchParams({ next })}` });
  expect(page.text).not.toContain('name="next"');
  expect(page.headers["content-security-policy"]).toContain("form-action 'self'");
});
