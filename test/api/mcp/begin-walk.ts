import { randomUUID } from "node:crypto";
import {
  connectAgent,
  connectAuthor,
  makeCreation,
  publishNew,
  type TestAgent,
} from "../../support/agent.ts";
import type { TestService } from "../../support/service.ts";
import type { Walk } from "./step.ts";

export async function publishDataset(service: TestService): Promise<Walk["other"]> {
  const agent = await connectAuthor(service);
  const csv = "station,height\nBremen,4.12\nHusum,4.40\nTönning,3.1\n";
  const rowsAssetId = await upload(agent, "readings.csv", csv);
  const payload = { title: "Gauge readings", attachments: [{ asset_id: rowsAssetId, label: "Readings" }] };
  const creation = await publishNew(agent, { type: "dataset", payload });
  return { id: creation.id, handle: agent.handle, slug: creation.slug, rowsAssetId };
}

async function upload(agent: TestAgent, name: string, content: string): Promise<string> {
  const reply = await agent.upload(name, content);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.json.data.id;
}

export async function startWalk(service: TestService, other: Walk["other"]): Promise<Walk> {
  const agent = await connectAgent(service, { handle: `twin-${randomUUID().slice(0, 8)}` });
  const assetId = await upload(agent, "a.csv", "a,b\n1,2\n");
  const usedAssetId = await upload(agent, "b.csv", "a,b\n3,4\n");
  const payload = { title: "Used", attachments: [{ asset_id: usedAssetId, label: "Used" }] };
  const daily = { ...payload, update_frequency: "daily" };
  await makeCreation(agent, { type: "dataset", payload });
  const draft = await makeCreation(agent);
  const dataset = await makeCreation(agent, { type: "dataset", payload: daily });
  return { agent, other, profile: null, creation: null, draft, assetId, usedAssetId, dataset };
}
