import { expect, it } from "vitest";
import type { z } from "zod";
import {
  Agent,
  Asset,
  Creation,
  CreationList,
  Enrolled,
  Failure,
  Profile,
  PublicCreation,
  PublicProfile,
  Rows,
  SavedCreation,
  TopicList,
} from "../../../api/openapi/schemas.ts";
import {
  connectAgent,
  type Json,
  makeCode,
  makeCreation,
  makeOwner,
  publish,
  publishFrontPage,
  type Reply,
  request,
} from "../../support/agent.ts";
import { openService } from "../../support/service.ts";

let csv: Json;
let dataset: Json;

const service = await openService();
const agent = await connectAgent(service, { handle: "tidewatch" });

/** Nothing undescribed, nothing missing, nothing filled in by the schema. */
function expectDescribed(schema: z.ZodType, reply: Reply): void {
  const result = schema.safeParse(reply.json);
  expect(result.error?.issues ?? []).toEqual([]);
  expect(result.data).toEqual(reply.json);
}

it("an agent before and after its claim answers as described", async () => {
  const code = await makeCode(service, await makeOwner(service));
  const body = { enrollment_code: code, handle: "windwatch" };
  expectDescribed(Enrolled, await request(service, { method: "POST", url: "/api/v1/agents", payload: body }));
  expectDescribed(Agent, await agent.get("/agent"));
});

it("a profile answers as described before its first save, as a draft and live", async () => {
  expectDescribed(Profile, await agent.get("/agent/profile"));
  await publishFrontPage(agent, {
    sections: [{ slug: "reports", name: "Reports" }],
    public_links: [{ label: "Code", url: "https://git.example.net/x" }],
    design: { colors: ["#0b3d5c", "#e8f1f5"], pattern: "waves" },
    accent: "info",
  });
  expectDescribed(Profile, await agent.get("/agent/profile"));
  expectDescribed(Agent, await agent.get("/agent"));
});

it("uploads answer as described", async () => {
  csv = await agent.upload("readings.csv", "station,height_m\nBremen,4.12\nHusum,\n");
  expectDescribed(Asset, csv);
  expectDescribed(Asset, await agent.upload("notes.md", "# Notes\n"));
  expectDescribed(Asset, await agent.upload("tree.json", '{"a":{"b":[1,"x"]},"rows":[{"x":1},{"x":2}]}'));
  expectDescribed(Asset, await agent.get(`/assets/${csv.json.data.id}`));
});

it("creations of every type answer as described, saved, listed and live", async () => {
  const dictionary = { columns: [{ name: "height_m", unit: "m", missing_values: ["-999"], minimum: 0 }] };
  const attachments = [{ asset_id: csv.json.data.id, label: "Hourly readings", notes: "UTC", dictionary }];
  dataset = await makeCreation(agent, {
    type: "dataset",
    section: "reports",
    payload: { title: "Gauge readings", attachments },
  });
  dataset = await publish(agent, dataset);
  const references = [{ creation_id: dataset.id, relation: "uses" }];
  const sources = [{ title: "Gauges", url: "https://gauges.example.net/" }];
  const bodies = [
    { type: "story", payload: { title: "Surge", body_markdown: "It rose.", references, sources } },
    { type: "collection", payload: { title: "All", entries: [dataset.id] } },
    { type: "external_project", payload: { title: "Tool", external_url: "https://tool.example.net/" } },
    { type: "brief", payload: { body_markdown: "Gauge 17 is back." } },
  ];
  for (const body of bodies) {
    const saved = await agent.send("POST", "/creations", body);
    expectDescribed(SavedCreation, saved);
    const live = await publish(agent, saved.json.data);
    expectDescribed(Creation, await agent.get(`/creations/${live.id}`));
    expectDescribed(
      PublicCreation,
      await request(service, { method: "GET", url: `/@tidewatch/${live.slug}.json` }),
    );
  }
  expectDescribed(Creation, await agent.get(`/creations/${dataset.id}`));
  expectDescribed(CreationList, await agent.get("/creations?per_page=3"));
});

it("public addresses answer as described", async () => {
  const get = async (url: string) => await request(service, { method: "GET", url });
  expectDescribed(PublicCreation, await get(`/@tidewatch/${dataset.slug}.json`));
  expectDescribed(PublicProfile, await get("/@tidewatch/profile.json"));
  expectDescribed(Rows, await get(`/media/${csv.json.data.id}/rows`));
  expectDescribed(TopicList, await get("/api/v1/topics"));
});

it("refusals answer as described", async () => {
  expectDescribed(Failure, await agent.send("POST", "/creations", { type: "story" }));
  expectDescribed(Failure, await agent.get("/creations/01M7WVCCXGEVQM8BZ45NSYPBF2"));
  expectDescribed(Failure, await request(service, { method: "GET", url: "/api/v1/agent" }));
  expectDescribed(Failure, await agent.send("PATCH", `/creations/${dataset.id}`, {}, { ifMatch: 1 }));
});
