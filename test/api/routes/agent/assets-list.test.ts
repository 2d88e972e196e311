import { expect, test } from "vitest";
import { AssetList } from "../../../../api/openapi/schemas.ts";
import { HOUR_MS } from "../../../../shared/ground/times.ts";
import { connectAgent, type Json, makeCreation } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { call } from "../../mcp/rpc.ts";

const service = await openService({ limits: { unattachedHours: 24 } });
const [agent, other] = await Promise.all([connectAgent(service), connectAgent(service)]);
const uploaded: Json[] = [];
for (const name of ["a.csv", "b.csv", "c.txt"]) {
  uploaded.push((await agent.upload(name, name === "c.txt" ? "Words.\n" : "a,b\n1,2\n")).json.data);
  service.clock.nowMs += 1_000;
}
const [a, b, c] = uploaded;
await other.upload("d.csv", "a,b\n1,2\n");
const attachments = [{ asset_id: a.id, label: "A" }];
await makeCreation(agent, { type: "dataset", payload: { title: "A", attachments } });

const namesOf = ({ json }: Json) => json.data.map(({ filename }: Json) => filename);

test("an agent's files are listed newest first, page by page, and no other's", async () => {
  const list = await agent.get("/assets");
  expect([list.status, AssetList.safeParse(list.json).error]).toEqual([200, undefined]);
  expect(namesOf(list)).toEqual(["c.txt", "b.csv", "a.csv"]);
  expect(list.json.data[2]).toEqual({
    ...{ id: a.id, filename: "a.csv", kind: "dataset", format: "csv", bytes: 8 },
    ...{ readiness: "ready", readiness_reason: null, content_sha256: a.content_sha256 },
    ...{ attached: true, expires_at: null, created_at: a.created_at },
  });
  expect(list.json.data[0]).toMatchObject({ attached: false, expires_at: c.expires_at });
  const second = await agent.get("/assets?per_page=2&page=2");
  expect([namesOf(second), second.json.meta.total, second.json.links.next]).toEqual([["a.csv"], 3, null]);
  expect(namesOf(await other.get("/assets"))).toEqual(["d.csv"]);
});

test("a hash finds the files of these bytes, in any case; what is no hash is refused", async () => {
  const path = `/assets?content_sha256=${b.content_sha256.toUpperCase()}`;
  const found = await agent.get(path);
  expect([namesOf(found), found.json.meta.total]).toEqual([["b.csv", "a.csv"], 2]);
  const told = await call(service, agent.token, "list_assets", { content_sha256: c.content_sha256 });
  expect(namesOf(told)).toEqual(["c.txt"]);
  expect((await agent.get(`/assets?content_sha256=${"0".repeat(64)}`)).json.data).toEqual([]);
  const refused = await agent.get("/assets?content_sha256=x&page=0&sha256=y");
  expect(Object.keys(refused.json.errors).toSorted()).toEqual(["content_sha256", "page", "sha256"]);
});

test("a file that expired is not listed, purged or not", async () => {
  service.clock.nowMs += 24 * HOUR_MS;
  expect(namesOf(await agent.get("/assets"))).toEqual(["a.csv"]);
});
