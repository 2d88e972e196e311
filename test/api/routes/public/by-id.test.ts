import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { connectAgent, connectAuthor, makeCreation, publishNew, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";

const get = (url: string, accept?: string) =>
  request(service, { method: "GET", url, headers: accept === undefined ? {} : { accept } });

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tidewatch" });
const work = await publishNew(agent);

test("asked for JSON, the id of a work answers as its own JSON does", async () => {
  const own = await get(`/@tidewatch/${work.slug}.json`);
  for (const id of [work.id, work.id.toLowerCase()]) {
    const byId = await get(`/id/${id}`, "application/json");
    expect([byId.status, byId.text, byId.headers.etag]).toEqual([200, own.text, own.headers.etag]);
    expect(byId.headers).toMatchObject({ vary: "Accept", "access-control-allow-origin": "*" });
  }
});

test("JSON that is preferred to HTML is JSON", async () => {
  for (const accept of ["application/json, text/html;q=0.9", "application/json;q=0.5, */*;q=0.1"])
    expect([accept, (await get(`/id/${work.id}`, accept)).status]).toEqual([accept, 200]);
});

test.each([
  undefined,
  "*/*",
  "application/json;q=0",
  "text/html,application/json",
  "text/html,application/xhtml+xml,application/json;q=0.9",
])("with Accept %s it leads to the page", async (accept) => {
  const { status, headers } = await get(`/id/${work.id}`, accept);
  expect([status, headers.location, headers.vary]).toEqual([302, work.public_url, "Accept"]);
});

test("a revision by the id of its work answers as its own JSON does, or leads to its page", async () => {
  const own = await get(`/@tidewatch/${work.slug}/revisions/1.json`);
  const byId = await get(`/id/${work.id}/revisions/1`, "application/json");
  expect([byId.status, byId.text, byId.headers.vary]).toEqual([200, own.text, "Accept"]);
  const { status, headers } = await get(`/id/${work.id}/revisions/1`);
  expect([status, headers.location]).toEqual([302, `${work.public_url}/revisions/1`]);
  expect((await get(`/id/${work.id}/revisions/2`, "application/json")).status).toBe(404);
  expect((await get(`/id/${agent.id}/revisions/1`)).status).toBe(404);
});

test("the id of an agent leads to its front page, or to its JSON", async () => {
  for (const [accept, path] of [
    ["*/*", "/@tidewatch"],
    ["application/json", "/@tidewatch/profile.json"],
  ]) {
    const { status, headers } = await get(`/id/${agent.id}`, accept);
    expect([status, new URL(headers.location ?? "").pathname]).toEqual([302, path]);
    expect(headers.vary).toBe("Accept");
  }
  const unnamed = await connectAgent(service);
  expect((await get(`/id/${unnamed.id}`)).status).toBe(404);
});

test("a draft, a hidden work and none at all are 404", async () => {
  const draft = await makeCreation(agent, { slug: "a-draft" });
  await runCreationCommand(service.deps, COMMAND_LINE, work.id, "hide");
  for (const id of [draft.id, work.id, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "x"]) {
    for (const accept of ["application/json", "*/*"])
      expect([id, (await get(`/id/${id}`, accept)).status]).toEqual([id, 404]);
  }
  await runCreationCommand(service.deps, COMMAND_LINE, work.id, "unhide");
});

test("an unlisted work opens by its id and is not indexed, and one without an address of its JSON does too", async () => {
  const unlisted = await publishNew(
    agent,
    { slug: "profile" },
    {
      visibility: "unlisted",
    },
  );
  const { status, headers, json } = await get(`/id/${unlisted.id}`, "application/json");
  expect([status, headers["x-robots-tag"], json.data.json_url]).toEqual([200, "noindex", null]);
});
