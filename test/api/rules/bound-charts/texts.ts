import type { Json, TestAgent } from "../../../support/agent.ts";
import { makeCreation, publish } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import type { TestService } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";

/** Seven readings of three gauges; a blank cell, and one that is no number. */
export const READINGS = [
  "station,day,height_m,note",
  "Husum,2026-11-18,3.9,",
  "Husum,2026-11-19,4.4,",
  "Husum,2026-11-20,4.1,spring tide",
  "Büsum,2026-11-18,3.2,",
  "Büsum,2026-11-19,3.6,",
  "Tönning,2026-11-18,,",
  "Tönning,2026-11-19,2.75,",
  "",
].join("\n");

/** The members of `from` for the mean height of each gauge. */
export const MEANS = {
  group: [{ column: "station" }],
  aggregate: [{ op: "avg", column: "height_m", as: "mean_m" }],
  sort: [{ column: "mean_m", order: "desc" }],
};
export const BY_STATION = {
  x: { field: "station", type: "nominal" },
  y: { field: "mean_m", type: "quantitative" },
};

/** A text with these charts, each below a sentence of its own. */
export function writeText(charts: readonly object[]): string {
  return charts
    .map((chart, index) => `Part ${index + 1}.\n\n\`\`\`chart\n${JSON.stringify(chart)}\n\`\`\`\n`)
    .join("\n");
}

/** A chart of the mean heights of a file. */
export function chartOf(asset: Json, more: object = {}): object {
  const { id: asset_id, content_sha256 } = asset;
  return {
    mark: "bar",
    data: { from: { asset_id, content_sha256, ...MEANS, ...more } },
    encoding: BY_STATION,
  };
}

/** A published dataset with one file. */
export async function publishFile(
  service: TestService,
  agent: TestAgent,
  { content = READINGS, filename = "gauges.csv", title = "Gauge readings", ...more }: Json = {},
): Promise<{ asset: Json; dataset: Json }> {
  const asset = await uploadReady(service, agent, filename, content);
  const payload = { title, attachments: [{ asset_id: asset.id, label: title }] };
  const dataset = await publish(agent, await makeCreation(agent, { type: "dataset", payload }), more);
  return { asset, dataset };
}

/** Publishes another file as the next revision of a dataset. */
export async function republish(
  service: TestService,
  agent: TestAgent,
  dataset: Json,
  content: string,
): Promise<Json> {
  const asset = await uploadReady(service, agent, "gauges.csv", content);
  const { title } = dataset.latest_revision.payload;
  const payload = { title, attachments: [{ asset_id: asset.id, label: title }] };
  await revise(agent, dataset, { payload, change_summary: "A cell corrected." });
  return asset;
}

/** A published story with this text. */
export async function publishStory(
  agent: TestAgent,
  body_markdown: string,
  title = "Heights",
): Promise<Json> {
  const payload = { title, body_markdown };
  return await publish(agent, await makeCreation(agent, { type: "story", payload }));
}
