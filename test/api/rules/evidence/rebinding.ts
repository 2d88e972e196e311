import { expect } from "vitest";
import type { Json, Reply, TestAgent } from "../../../support/agent.ts";
import { look, write } from "../../../support/work-acts.ts";
import { ask, figureOf, HEIGHTS } from "../checked-figures/texts.ts";

/** Moves a text to the newest data, and writes new values. */
export const UPDATE = { works: "newest", figures: "update" };
/** The heights with one higher: the mean is 3.99 m. */
export const HIGHER = HEIGHTS.replace("2.75", "4.75");

export const mean = (asset: Json) => figureOf(asset, "3.66 m", { decimals: 2, unit: "m" });
export const top = (asset: Json) => figureOf(asset, "4.40", {}, ask("max"));

/** Saves and publishes a work with `changes.rebind`. */
export async function rebind(agent: TestAgent, work: Json, rebinding: unknown, more: object = {}) {
  return await write(agent, "PATCH", work, "", {
    ...{ changes: { rebind: rebinding }, change_summary: "The newest data.", publish: {} },
    ...more,
  });
}

export const payloadOf = async (agent: TestAgent, work: Json): Promise<Json> =>
  (await look(agent, work)).latest_revision.payload;

/** Why a rebind was refused; all fields where it is none of its own. */
export function faultsOf({ status, json }: Reply): Json {
  expect(status).toBe(422);
  return json.errors["changes.rebind"] ?? json.errors;
}
