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

test("a form on a JSON route and JSON on the upload route are 415", async () => {
  const form = makeForm("a.csv", "a\n1\n");
  expect((await post("/creations", form.type, form.body)).status).toBe(415);
  expect((await post("/agents", form.type, form.body)).status).toBe(415);
  const upload = await post("/assets", "application/json", "{}");
  expect([upload.status, upload.json.code]).toEqual([415, "http_error"]);
  expect(upload.json.message).toContain("multipart/form-data");
});

test.each([
  ["cut off", '{"type":'],
  ["a trailing comma", '{"type":"story",}'],
  ["two values", "{} {}"],
  ["not UTF-8", Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d])],
  ["only white space", " \n "],
  ["too deep", `${"[".repeat(65)}${"]".repeat(65)}`],
])("a body that is %s is 400", async (_name, body) => {
  const reply = await post("/creations", "application/json", body);
  expect([reply.status, reply.json.code]).toEqual([400, "http_error"]);
  expect(reply.json.errors).toEqual({});
});

test("a body over the bound is 413, one under it is read", async () => {
  const big = JSON.stringify({
    type: "story",
    payload: { title: "t", body_markdown: "a".repeat(2_200_000) },
  });
  expect((await post("/creations", "application/json", big)).status).toBe(413);
  const long = JSON.stringify({ type: "story", payload: { title: "t", body_markdown: "a".repeat(100_001) } });
  const reply = await post("/creations", "application/json", long);
  expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, ["payload.body_markdown"]]);
});

test.each(["1", "null", '"text"', "[]", "true"])("the JSON value %s is no request: 422", async (body) => {
  for (const url of ["/creations", "/agents", "/agent/profile/publish"]) {
    expect((await post(url, "application/json", body)).status).toBe(422);
  }
});

test("no body at all is 422 where one is needed", async () => {
  for (const url of ["/creations", "/agents", "/agent/profile/publish"]) {
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
