import type { Json, TestAgent } from "../../../support/agent.ts";
import { makeCreation, publish } from "../../../support/agent.ts";

/** Heights whose mean is 3.658333333333333, whose sum is 21.95 and whose greatest is written 4.40. */
export const HEIGHTS = [
  "station,day,height_m",
  "Husum,2026-11-18,3.9",
  "Husum,2026-11-19,4.40",
  "Husum,2026-11-20,4.1",
  "Büsum,2026-11-18,3.2",
  "Büsum,2026-11-19,3.6",
  "Tönning,2026-11-18,",
  "Tönning,2026-11-19,2.75",
  "",
].join("\n");

/** A figure of a file; without a question the mean height. */
export function figureOf(asset: Json, text: string, more: object = {}, asked: object = MEAN): Json {
  const { id: asset_id, content_sha256 } = asset;
  return { text, from: { asset_id, content_sha256, ...asked }, ...more };
}

export const MEAN = { aggregate: [{ op: "avg", column: "height_m" }] };

/** A question for one aggregate of the heights. */
export function ask(op: string, more: object = {}): object {
  return { aggregate: [{ op, column: "height_m" }], ...more };
}

/** A payload whose text has each figure in a sentence of its own. */
export function writePayload(figures: readonly Json[], body?: string): Json {
  const body_markdown = body ?? figures.map(({ text }) => `It was ${text} there.`).join("\n\n");
  return { title: "Heights", body_markdown, figures };
}

/** A published story with these figures. */
export async function publishFigures(
  agent: TestAgent,
  figures: readonly Json[],
  body?: string,
): Promise<Json> {
  return await publish(
    agent,
    await makeCreation(agent, { type: "story", payload: writePayload(figures, body) }),
  );
}
