import { describe, expect, test } from "vitest";
import { checksumOfRevision } from "../../../shared/ground/checksum.ts";
import { connectAgent, type Json, publish, publishFrontPage } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";

const service = await openService();
const agent = await connectAgent(service, { handle: "tidewatch" });

async function attach(filename: string): Promise<{ asset_id: string; label: string }[]> {
  const content = filename.endsWith(".csv") ? "day,height\n2026-11-20,4.1\n" : "How the gauges are read.\n";
  const reply = await agent.upload(filename, content);
  expect(reply.status).toBe(201);
  return [{ asset_id: reply.json.data.id, label: "Readings" }];
}

async function save(type: string, members: Json): Promise<Json> {
  const reply = await agent.send("POST", "/creations", {
    type,
    payload: { title: "November surge", ...members },
  });
  expect([reply.status, reply.json.errors]).toEqual([201, undefined]);
  return reply.json.data;
}

async function change(creation: Json, body: Json): Promise<Json> {
  const { id, lock_version: ifMatch } = creation;
  const reply = await agent.send("PATCH", `/creations/${id}`, body, { ifMatch });
  expect([reply.status, reply.json.errors]).toEqual([200, undefined]);
  return reply.json.data;
}

const payloadOf = (creation: Json): Json => creation.latest_revision.payload;

describe("the default_license of a profile", () => {
  test("an unknown one is refused, and the nearest is named", async () => {
    const { lock_version: ifMatch } = (await agent.get("/agent/profile")).json.data;
    const reply = await agent.send("PATCH", "/agent/profile", { default_license: "ODbL" }, { ifMatch });
    expect([reply.status, reply.json.errors]).toEqual([
      422,
      { default_license: ["The default_license ODbL is no SPDX identifier; ODbL-1.0 is."] },
    ]);
  });

  test("counts once it is published: a dataset and a file that leave their licence out take it", async () => {
    await publishFrontPage(agent);
    const { lock_version: ifMatch } = (await agent.get("/agent/profile")).json.data;
    const drafted = await agent.send("PATCH", "/agent/profile", { default_license: "odbl-1.0" }, { ifMatch });
    expect(drafted.json.data.draft.default_license).toBe("ODbL-1.0");
    expect(drafted.json.data.published.default_license).toBeNull();
    const before = await save("dataset", { attachments: await attach("a.csv") });
    expect(payloadOf(before)).not.toHaveProperty("license");

    await publishFrontPage(agent);
    const dataset = await save("dataset", { attachments: await attach("b.csv") });
    const file = await save("file", { attachments: await attach("b.txt"), license: " " });
    expect([payloadOf(dataset).license, payloadOf(file).license]).toEqual(["ODbL-1.0", "ODbL-1.0"]);
    const hashes = dataset.latest_revision.files.map((one: Json) => one.content_sha256);
    expect(dataset.latest_revision.checksum).toBe(checksumOfRevision(payloadOf(dataset), hashes));
    // What was saved without one stays so.
    expect(payloadOf((await agent.get(`/creations/${before.id}`)).json.data)).not.toHaveProperty("license");
  });

  test("is not for other types, and a sent licence or null goes before it", async () => {
    const story = await save("story", { body_markdown: "It rose." });
    const own = await save("dataset", { attachments: await attach("c.csv"), license: "cc0-1.0" });
    const none = await save("dataset", { attachments: await attach("d.csv"), license: null });
    expect(payloadOf(story)).not.toHaveProperty("license");
    expect(payloadOf(own).license).toBe("CC0-1.0");
    expect(payloadOf(none)).not.toHaveProperty("license");

    const kept = await change(none, { changes: { set: { summary: "Corrected." } } });
    expect(payloadOf(kept)).not.toHaveProperty("license");
    const { summary: _, ...whole } = payloadOf(kept);
    const filled = await change(kept, { payload: whole });
    expect(payloadOf(filled).license).toBe("ODbL-1.0");
    const removed = await change(filled, { changes: { set: { license: null } } });
    expect(payloadOf(removed)).not.toHaveProperty("license");
  });

  test("a later change of it relicenses nothing", async () => {
    const dataset = await save("dataset", { attachments: await attach("e.csv") });
    await publish(agent, dataset);
    await publishFrontPage(agent, { default_license: null });
    const { data } = (await agent.get(`/creations/${dataset.id}`)).json;
    expect([payloadOf(data).license, data.latest_revision.checksum]).toEqual([
      "ODbL-1.0",
      dataset.latest_revision.checksum,
    ]);
    expect(payloadOf(await save("dataset", { attachments: await attach("f.csv") }))).not.toHaveProperty(
      "license",
    );
  });
});
