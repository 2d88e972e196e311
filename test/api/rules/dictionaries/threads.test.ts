import { expect, test } from "vitest";
import { checkDictionaries } from "../../../../shared/datasets/dictionaries/check-dictionaries.ts";
import { measureAsset } from "../../../../shared/datasets/uploads/statistics.ts";
import type { Threads } from "../../../../shared/platform/threads/open.ts";
import { listOwnAssets } from "../../../../sql/datasets/assets.ts";
import { connectAgent, type Json } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { DICTIONARY, uploadBoth } from "./datasets.ts";

const service = await openService({ workers: false });
const agent = await connectAgent(service);
const files = await uploadBoth(service, agent);

/** Checks a dictionary of the readings with other threads; tells how often they were asked. */
async function check(dictionary: Json, isTooMuch = false) {
  let asked = 0;
  const counting: Threads = {
    ...service.threads,
    check: async (makeTask) => {
      asked++;
      return isTooMuch ? null : await service.threads.check(makeTask);
    },
  };
  const attachments = [
    { asset_id: files.readings.id, label: "Readings", dictionary },
    { asset_id: files.stations.id, label: "Stations" },
  ];
  const ids = attachments.map(({ asset_id }) => asset_id);
  const assets = await listOwnAssets(service.deps.pool, agent.id, ids);
  const kept = await checkDictionaries(service.deps, counting, agent.id, { attachments, assets });
  return { asked, kept };
}

test("a check over its time or memory is refused on the dictionary, with what to leave out", async () => {
  await expect(check(DICTIONARY, true)).rejects.toMatchObject({
    code: "validation_failed",
    errors: {
      "payload.attachments.0.dictionary": [expect.stringMatching(/too much to check; leave out /)],
    },
  });
});

test("what statistics answer is not looked up in the bytes, and comes out the same", async () => {
  const known = {
    columns: [
      { name: "station", required: true },
      { name: "height_m", minimum: -1_000, maximum: 42, unique: true },
    ],
  };
  const before = await check(known);
  await measureAsset(service.deps, service.threads, files.readings.id);
  const after = await check(known);
  expect([before.asked, after.asked]).toEqual([1, 0]);
  expect(after.kept).toEqual(before.kept);
  const close = await check({ columns: [{ name: "height_m", maximum: 41.2 }] });
  expect(close.asked).toBe(1);
  const missing = await check({ columns: [{ name: "height_m", missing_values: ["-999"], minimum: 0 }] });
  expect(missing.asked).toBe(1);
});

test("without a dictionary nothing is asked", async () => {
  const nothing = await check(null);
  expect(nothing).toEqual({ asked: 0, kept: [] });
});
