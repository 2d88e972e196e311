import { expect } from "vitest";
import { askStanding } from "../../../../shared/datasets/evidence/ask-standing.ts";
import type { Json } from "../../../support/agent.ts";
import { publishFile, republish } from "../bound-charts/texts.ts";
import { figureOf, publishFigures } from "../checked-figures/texts.ts";
import { PLANTED, type Stage } from "./stage.ts";

/** Publishes a figure of the author's data for the other agent, who watches them too, and other data; the dataset. */
export async function publishDifferingFigure({ service, author, other }: Stage): Promise<Json> {
  const { asset, dataset } = await publishFile(service, author, { content: "n\n1\n", title: PLANTED });
  await publishFigures(other, [figureOf(asset, "1", {}, { columns: ["n"] })], `${PLANTED} 1`);
  const question = { creation_id: dataset.id, question: { columns: ["n"] } };
  expect((await other.send("PUT", "/watches/questions/n", question)).status).toBe(200);
  await republish(service, author, dataset, "n\n2\n");
  await askStanding(service.deps, service.threads, dataset.id);
  return dataset;
}
