import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { connectAgent, makeForm, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";

const service = await openService({ workers: false });
const agent = await connectAgent(service);

async function post(url: string, contentType: string | null, payload: string | Buffer) {
  const headers = {
    authorization: `Bearer ${agent.token}`,
    "idempotency-key": randomUUID(),
    "if-match": "1",
    ...(contentType === null ? {} : { "content-type": contentType }),
  };
  return await request(service, { method: "POST", url: `/api/v1${url}`, headers, payload });
}

const STORY = JSON.stringify({ type: "story", payload: { title: "t", body_markdown: "b" } });

test.each([
  ["text/plain", STORY],
  ["application/xml", "<a/>"],
  ["application/x-www-form-urlencoded", "type=story&payload[title]=t"],
  ["application/merge-patch+json", STORY],
  [null, STORY],
])("a body of type %s is 415 on every JSON route", async (type, body) => {
  for (const url of ["/creations", "/agents", "/agent/profile/publish"]) {
    const reply = await post(url, type, body);
    expect(`${url} ${reply.status} ${reply.json.code}`).toBe(`${url} 415 http_error`);
  }
});

test("a body in a form that the address does not take is 415, with those that it takes", async () => {
  const form = makeForm("a.csv", "a\n1\n");
  const json = "JSON as application/json";
  const file = "the file in the field file of a form as multipart/form-data";
  const saidOf = ({ status, json }: Awaited<ReturnType<typeof post>>) => [status, json.code, json.message];
  const takes = (said: string) => [415, "http_error", `Send ${said}.`];
  expect(saidOf(await post("/creations", form.type, form.body))).toEqual(takes(json));
  expect(saidOf(await post("/agents", form.type, form.body))).toEqual(takes(json));
  expect(saidOf(await post("/assets", "application/json", "{}"))).toEqual(takes(file));
  const id = "01M7WW1CSGYD5ACBQTVBER0WFF";
  const both = takes(`${json} or ${file}`);
  expect(saidOf(await post(`/creations/${id}/append`, "text/csv", "a\n1\n"))).toEqual(both);
});

test("no body at all is 422 where one is needed", async () => {
  for (const url of ["/creations", "/agents"]) {
    const headers = {
      authorization: `Bearer ${agent.token}`,
      "idempotency-key": randomUUID(),
      "if-match": "1",
    };
    const reply = await request(service, { method: "POST", url: `/api/v1${url}`, headers });
    expect(`${url} ${reply.status}`).toBe(`${url} 422`);
  }
});

test.each([
  [
    "a number beyond every double",
    '{"type":"story","payload":{"title":"t","body_markdown":"b","summary":1e999}}',
  ],
  ["half a surrogate pair", '{"type":"story","payload":{"title":"\\ud800","body_markdown":"b"}}'],
  ["NUL", '{"type":"story","payload":{"title":"a\\u0000b","body_markdown":"b"}}'],
  ["a control character in Markdown", '{"type":"story","payload":{"title":"t","body_markdown":"a\\u0007"}}'],
  ["constructor", '{"constructor":{"prototype":{"x":1}},"payload":{"title":"t","body_markdown":"b"}}'],
])("%s in a body is 422 and harms nothing", async (_name, body) => {
  const reply = await post("/creations", "application/json", body);
  expect([reply.status, reply.json.code]).toEqual([422, "validation_failed"]);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

test.each(["/agents", "/creations", "/agent/profile/publish"])(
  "a member __proto__ is refused on %s, escaped or not",
  async (url) => {
    for (const name of ["__proto__", "\\u005f_proto__"]) {
      const body = `{"revision_id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","deep":[{"${name}":1}]}`;
      const reply = await post(url, "application/json", body);
      expect([reply.status, reply.json.message]).toEqual([400, expect.stringContaining("__proto__")]);
    }
    const told = await post(url, "application/json", '{"zzz":"about __proto__"}');
    expect([told.status, Object.keys(told.json.errors)]).toEqual([422, expect.arrayContaining(["zzz"])]);
  },
);
