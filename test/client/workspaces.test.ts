import { existsSync, globSync, readFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "../support/agent.ts";
import { openFolder } from "../support/close-afterwards.ts";
import { openStage, type Stage } from "./stage.ts";

const FOLDER = resolve(import.meta.dirname, "../../../shared/corpora/workspaces");
const names = globSync("*/expected.json", { cwd: FOLDER }).map(dirname).toSorted();

describe.skipIf(!existsSync(FOLDER))("the folders of the corpora", () => {
  test.each(names)("%s does what is expected of it", async (name) => {
    const stage = await openStage();
    const folder = await openFolder();
    const { runs } = JSON.parse(readFileSync(join(FOLDER, name, "expected.json"), "utf8"));
    if (!runs[0].copy) await cp(join(FOLDER, name), folder, { recursive: true });
    await rm(join(folder, "expected.json"), { force: true });
    for (const wanted of runs) {
      if (wanted.copy) await cp(join(FOLDER, name, wanted.copy), folder, { recursive: true });
      stage.requests.length = 0;
      const ended = await stage.client(folder, ...wanted.arguments, "--json");
      expect([ended.exit, ended.json.ok], ended.stdout).toEqual([wanted.exit, wanted.exit === 0]);
      expectAll(ended.json.works, wanted.works ?? []);
      expectAll(ended.json.errors, wanted.errors ?? []);
      await expectRequests(stage, wanted);
    }
  });
});

function expectAll(found: Json[], wanted: Json[]): void {
  for (const { message_holds = "", ...one } of wanted) {
    const [same] = found.filter(({ path }) => path === one.path);
    expect(same).toMatchObject(one);
    if (message_holds !== "") expect(same.message).toContain(message_holds);
  }
}

/** The frame of a form takes some 600 bytes. */
const FRAME_BYTES = 700;

async function expectRequests({ requests, agent }: Stage, wanted: Json): Promise<void> {
  const writes = requests.filter(({ method }) => method !== "GET");
  if (wanted.writes !== undefined) expect(writes).toHaveLength(wanted.writes);
  const most = wanted.bytes_of_file_sent_at_most ?? Number.POSITIVE_INFINITY;
  const sent = requests.filter(({ url }) => url === "/api/v1/assets");
  expect(sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(most + FRAME_BYTES);
  const { json } = await agent.get("/creations?visibility=public");
  if (wanted.published === 0) expect(json.data).toEqual([]);
}
