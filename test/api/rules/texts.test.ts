import { expect, test, vi } from "vitest";
import { printAnswer } from "../../../cli/command-line/answer.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { runModeratorCommand } from "../../../shared/identity/owners/suspension.ts";
import { connectAuthor, type Json, publishNew, request } from "../../support/agent.ts";
import { DEEP, some } from "../../support/depth.ts";
import { uploadReady } from "../../support/inspection.ts";
import { openDashboard } from "../../support/owner-dashboard.ts";
import { openService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";
import { modern } from "../mcp/rpc.ts";
import { type Element, listElements, readAttribute, readPage } from "../pages/dom.ts";

/** U+0000, half of a surrogate pair as a careless encoder writes it, and control characters of C1, percent-encoded. */
const ENCODED = ["a%00b", ...(DEEP ? ["%ED%A0%80", "a%7Fb"] : [])];
const TEXTS = ["a\u009bb", ...(DEEP ? ["a\0b", "a\ud800b", "a\u007fb"] : [])];

const service = await openService({ workers: false, config: { signUp: "invite" } });
const dashboard = await openDashboard(service, "Nora");
await runModeratorCommand(service.deps, COMMAND_LINE, dashboard.email, "grant");
const agent = await connectAuthor(service, { handle: "tidewatch", ownerId: dashboard.ownerId });
const asset = await uploadReady(service, agent, "readings.csv", "station,height_m\nBremen,4.12\n");
const work = await publishNew(agent, {
  type: "dataset",
  slug: "gauges",
  payload: { title: "Gauges", attachments: [{ asset_id: asset.id, label: "L" }] },
});
const VALUES: Record<string, string> = {
  ...{ handle: "tidewatch", slug: "gauges", asset: asset.id, creation: work.id, agent: agent.id },
  ...{
    number: "1",
    from: "1",
    to: "1",
    revision: "1",
    filename: "readings.csv",
    page: "limits",
    id: work.id,
  },
};
/** What addresses without a schema of their query read: lists, sign-in, consent. */
const READ = ["q", "query", "topic", "type", "license", "page", "cursor", "next", "agent", "action", "from"];
const CONSENT = [
  "client_id",
  "redirect_uri",
  "response_type",
  "state",
  "scope",
  "resource",
  "code_challenge",
];

const ROUTES = listRoutes();

function listRoutes(): { method: string; url: string; names: readonly string[] }[] {
  const above: string[] = [];
  return service.app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", end = "", methods = ""] = /^(.*?)[└├]── (.*) \(([A-Z, ]+)\)$/.exec(line) ?? [];
      above.splice(indent.length / 4);
      above.push(end);
      const url = above.join("");
      return methods
        .split(", ")
        .filter((method) => url.startsWith("/") && method !== "HEAD" && method !== "OPTIONS")
        .map((method) => ({ method, url, names: namesOf(method, url) }));
    });
}

function namesOf(method: string, url: string): readonly string[] {
  const listed = service.routes.find((route) => route.url === url && route.method === method);
  const known = Object.keys(listed?.query?.shape ?? {});
  return known.length > 0 ? known : READ;
}

/** One request with everything that the address needs; the answer is no fault of ours. */
async function knock(method: string, url: string): Promise<number> {
  const headers = { cookie: dashboard.cookie, authorization: `Bearer ${agent.token}`, accept: "text/html" };
  const { status } = await request(service, { method: method as "GET", url, headers });
  // No worker makes Parquet files here.
  if (!url.includes("all.parquet"))
    expect(`${method} ${url} ${status >= 500}`).toBe(`${method} ${url} false`);
  return status;
}

const fill = (url: string, other: Record<string, string> = {}) =>
  url.replace(/:(\w+)/g, (_, name: string) => other[name] ?? VALUES[name] ?? "none");

test("no address answers 5xx to a text that no database holds, in its path or its query", async () => {
  expect(ROUTES.length).toBeGreaterThan(150);
  for (const { method, url, names } of some(ROUTES)) {
    for (const text of ENCODED) {
      for (const [, name = ""] of url.matchAll(/:(\w+)/g)) {
        expect(await knock(method, fill(url, { [name]: text }))).toBeGreaterThanOrEqual(400);
      }
      if (method !== "GET") continue;
      // One request for each name takes eight seconds; the first that is read is refused.
      for (const asked of DEEP ? names.map((name) => [name]) : [names]) {
        await knock(method, `${fill(url)}?${asked.map((name) => `${name}=${text}`).join("&")}`);
      }
    }
  }
});

test("the page of consent refuses U+0000 in each parameter that it reads, and ignores it elsewhere", async () => {
  for (const name of CONSENT) {
    const others = CONSENT.filter((other) => other !== name).map((other) => `${other}=x`);
    const status = await knock("GET", `/oauth/authorize?${[...others, `${name}=a%00b`].join("&")}`);
    expect([name, status]).toEqual([name, name === "client_id" ? 422 : 400]);
  }
  expect(await knock("GET", "/@tidewatch/gauges.json?utm_source=a%00b")).toBe(200);
  expect(await knock("GET", "/@tidewatch/gauges?utm_source=a%00b")).toBe(200);
  const read = await request(service, { method: "GET", url: "/api/v1/search/creations?query=a%00b" });
  expect([read.status, read.json.errors]).toEqual([
    422,
    { query: ["The parameter query holds the character U+0000; remove it."] },
  ]);
});

interface Form {
  action: string;
  fields: Record<string, string>;
}

function readForm(form: Element, path: string): Form {
  const fields = listElements(form).flatMap((field) => {
    const name = readAttribute(field, "name");
    return name === null ? [] : [[name, readAttribute(field, "value") ?? "Good"]];
  });
  return { action: readAttribute(form, "action") ?? path, fields: Object.fromEntries(fields) };
}

/** The forms of the pages that an owner and a moderator see, each with the values of its fields. */
async function listForms(): Promise<Form[]> {
  const forms = new Map<string, Form>();
  const isPage = /^\/(console|report|sign-in)/;
  for (const { url } of ROUTES.filter(({ method, url }) => method === "GET" && isPage.test(url))) {
    for (const path of [agent.id, work.id].map((id) => fill(url, { id }))) {
      const page = readPage((await dashboard.get(path)).text);
      for (const form of page.all("form", "method", "post").map((form) => readForm(form, path)))
        forms.set(JSON.stringify([form.action, Object.keys(form.fields)]), form);
    }
  }
  return [...forms.values()];
}

test("no form answers 5xx to such a text in a field", async () => {
  const forms = await listForms();
  expect(forms.length).toBeGreaterThan(20);
  for (const { action, fields } of some(forms)) {
    for (const name of Object.keys(fields).filter((name) => name !== "csrf")) {
      for (const text of [...ENCODED, "a%C2%9Bb"]) {
        const payload = new URLSearchParams({ ...fields, [name]: "" }).toString();
        const reply = await request(service, {
          method: "POST",
          url: action,
          headers: { cookie: dashboard.cookie, "content-type": "application/x-www-form-urlencoded" },
          payload: payload.replace(`${encodeURIComponent(name)}=`, (start) => `${start}${text}`),
        });
        expect([action, name, text, reply.status >= 500]).toEqual([action, name, text, false]);
      }
    }
  }
});

test("no tool fails by such a text in an argument", async () => {
  const { tools } = (await modern(service, "tools/list", {}, { token: agent.token })).json.result;
  expect(tools.length).toBeGreaterThan(30);
  for (const { name, inputSchema } of some(tools as Json[])) {
    for (const argument of Object.keys(inputSchema.properties)) {
      for (const text of TEXTS) {
        const call = { name, arguments: { ...VALUES, [argument]: text } };
        const { json } = await modern(service, "tools/call", call, { token: agent.token });
        const told = JSON.stringify(json);
        expect(
          `${name} ${argument} ${/server_error|"status":5/.test(told) || json.result === undefined}`,
        ).toBe(`${name} ${argument} false`);
      }
    }
  }
});

test("no control character of what was sent by then is stored, and what was stored before is printed escaped", async () => {
  const columns = await runSql(
    service,
    `SELECT table_name AS t, column_name AS c FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type IN ('text', 'jsonb', 'ARRAY')`,
  );
  const controls = String.raw`[\u0001-\u0008\u000B-\u001F\u007F-\u009F]|\\u00[01]`;
  const looks = columns.map(
    ({ t, c }) =>
      `SELECT '${t}.${c}' AS at, "${c}"::text AS text FROM "${t}" WHERE "${c}"::text ~ '${controls}'`,
  );
  expect(await runSql(service, looks.join(" UNION "))).toEqual([]);
  const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await printAnswer(async () => ({ answer: { title: "\u009b2Jwiped\u007f" }, failed: false }));
  expect(printed.mock.calls).toEqual([['{"title":"\\u009b2Jwiped\\u007f"}\n']]);
  printed.mockRestore();
});
