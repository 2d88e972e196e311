import { type Json, makeCreation, publish, request, type TestAgent } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import type { TestService } from "../../../support/service.ts";
import { write } from "../../../support/work-acts.ts";

/** Heights of which two stand for blank by the dictionary below: 3.9, 3.2 and 4.1 are left. */
export const HEIGHTS = [
  "station,day,height_m,grade",
  "Husum,2026-11-18,3.9,A",
  "Husum,2026-11-19,-999,NA",
  "Büsum,2026-11-18,3.2,-999",
  "Büsum,2026-11-19,NA,B",
  "Tönning,2026-11-18,,A",
  "Tönning,2026-11-19,4.1,A",
  "",
].join("\n");

export const MISSING = {
  columns: [
    { name: "height_m", missing_values: ["-999", "NA"] },
    { name: "grade", missing_values: ["NA"] },
  ],
};

/** A dataset of one file, published where nothing else is said. */
export async function makeDataset(
  service: TestService,
  agent: TestAgent,
  dictionary: Json | null,
  { content = HEIGHTS, isDraft = false } = {},
): Promise<{ asset: Json; dataset: Json }> {
  const asset = await uploadReady(service, agent, "heights.csv", content);
  const draft = await makeCreation(agent, { type: "dataset", payload: describe(asset, dictionary) });
  return { asset, dataset: isDraft ? draft : await publish(agent, draft) };
}

/** The payload of such a dataset. */
export function describe(asset: Json, dictionary: Json | null): Json {
  const attachment = { asset_id: asset.id, label: "Heights", ...(dictionary && { dictionary }) };
  return { title: "Heights", attachments: [attachment] };
}

/** Saves and publishes an update; the answer of the call. */
export const update = async (agent: TestAgent, id: string, change: Json) =>
  await write(agent, "PATCH", { id }, "", { ...change, change_summary: "Once more.", publish: {} });

/** Asks a file a question as parameters or, where it is an object, as JSON. */
export async function askFile(service: TestService, asset: Json, query: string | object, more: object = {}) {
  const text = typeof query === "string" ? query : `question=${encodeURIComponent(JSON.stringify(query))}`;
  return await request(service, { method: "GET", url: `/media/${asset.id}/query?${text}`, ...more });
}
