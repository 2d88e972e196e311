import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Reply, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { legacy, META, MODERN, modern, post } from "./rpc.ts";

const service = await openService({ workers: false });

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const PROTOTYPE = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}';
const HEADERS: Record<string, string> = { "mcp-protocol-version": MODERN, "mcp-method": "ping" };
const pingWith = (headers: Record<string, string>) => post(service, PING, { headers });

/** What the page on tools says is refused, each sent in every way that it stands for. */
const REFUSED: Record<string, (() => Promise<Reply>)[]> = {
  "a body that is not JSON": ["{", "", `${"[".repeat(100)}${"]".repeat(100)}`, PROTOTYPE].map(
    (body) => () => post(service, body),
  ),
  "a batch, or JSON that is no message": [
    () => post(service, [PING]),
    () => post(service, { hello: 1 }),
    () => post(service, "[]"),
    () => post(service, '"ping"'),
    () => post(service, { ...PING, id: null }),
    () => post(service, { ...PING, id: true }),
    () => post(service, { ...PING, params: null }),
  ],
  "headers that differ from the body": [
    () => modern(service, "tools/list", {}, { headers: { "mcp-method": "tools/call" } }),
    () => modern(service, "tools/list", {}, { headers: { "mcp-protocol-version": "2025-11-25" } }),
    () => modern(service, "tools/call", { name: "get_agent" }, { headers: { "mcp-name": "get_profile" } }),
    () => modern(service, "tools/call", { name: "get_agent" }, { headers: { "mcp-name": "" } }),
    () => modern(service, "prompts/get", { name: "write_story" }, { headers: { "mcp-name": "" } }),
    ...["mcp-protocol-version", "mcp-method"].map((left) => () => {
      const { [left]: _, ...headers } = HEADERS;
      return post(service, { ...PING, params: { _meta: META } }, { headers });
    }),
  ],
  "a version that is not spoken": [
    () => pingWith({ "mcp-protocol-version": "1999-01-01" }),
    () => {
      const meta = { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
      return post(service, { ...PING, params: { _meta: meta } });
    },
  ],
  "a message of 2026-07-28 without its `_meta`": [() => pingWith(HEADERS)],
  "an unknown method, in 2026-07-28": [
    "ping",
    "logging/setLevel",
    "no/such",
    "initialize",
    "subscriptions/listen",
    "constructor",
  ].map((method) => () => modern(service, method)),
  "an unknown method, in an older revision": [
    () => legacy(service, "completion/complete", {}),
    () => legacy(service, "resources/subscribe", {}),
    () => legacy(service, "server/discover", {}),
  ],
  "an unknown tool, prompt or resource": [
    () => modern(service, "tools/call", { name: "none" }),
    () => modern(service, "prompts/get", { name: "none" }),
    () => modern(service, "resources/read", { uri: "file:///none" }),
    () => legacy(service, "tools/call", {}),
  ],
  "a page of another origin, or another host": [
    ["origin", "https://evil.example"] as const,
    ["origin", "null"] as const,
    ["origin", "http://localhost.evil.example"] as const,
    ["origin", "file://"] as const,
    ["host", "evil.example:3000"] as const,
  ].map(
    ([name, value]) =>
      () =>
        pingWith({ [name]: value }),
  ),
  "GET, DELETE and any method but POST": (["GET", "DELETE", "PUT", "PATCH"] as const).map(
    (method) => () => request(service, { method, url: "/mcp" }),
  ),
  "a body over 2 MiB": [() => post(service, `"${"x".repeat(2 * 1024 * 1024)}"`)],
  "a body over 64 KiB without a valid token": [() => post(service, `"${"x".repeat(64 * 1024)}"`)],
  "a body of another type than application/json": [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/xml",
    "multipart/form-data; boundary=x",
  ].map((type) => () => pingWith({ "content-type": type })),
};

const [, section = ""] = readFileSync("api/docs/tool-clients.md", "utf8").split(
  "\n## Refused before a tool runs\n",
);
const rows = Array.from(
  section.matchAll(/^\| (.*?) *\| (\d+) *\| `?([\w-]+)`? *\|$/gm),
  ([, ...cells]) => cells,
);

test("the page on clients names every refusal that is tried here", () => {
  expect(rows.map(([sent]) => sent)).toEqual(Object.keys(REFUSED));
});

test.each(rows)("%s is answered with %s and %s, as the page says", async (sent = "", status, code) => {
  const replies = await Promise.all((REFUSED[sent] ?? []).map((send) => send()));
  for (const { json, headers, ...reply } of replies) {
    expect([reply.status, String(json.error?.code ?? json.code)]).toEqual([Number(status), code]);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  }
});
