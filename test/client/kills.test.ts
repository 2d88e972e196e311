import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Json } from "../support/agent.ts";
import { DEEP } from "../support/depth.ts";
import { HARBOUR, writeFiles } from "./harbour.ts";
import { openStage, type Stage } from "./stage.ts";

const ROUNDS = DEEP ? 50 : 6;

/** Starts a run and ends it after a while, at once and without a word. */
async function killAfter({ program, env }: Stage, folder: string, ms: number): Promise<void> {
  const child = spawn(process.execPath, [program, "publish", "."], { cwd: folder, env, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await wait(ms);
  child.kill("SIGKILL");
  await ended;
}

/** The works of the site by their slugs, each with its revisions and what it says. */
async function listWorks({ agent }: Stage): Promise<Record<string, Json>> {
  const { json } = await agent.get("/creations?per_page=100");
  const works = await Promise.all(json.data.map(({ id }: Json) => agent.get(`/creations/${id}`)));
  return Object.fromEntries(
    works.map((work) => {
      const { slug, visibility, review_state, latest_revision } = work.json.data;
      const { revision_number, checksum } = latest_revision;
      return [slug, { visibility, review_state, revision_number, checksum }];
    }),
  );
}

const SURGE = HARBOUR["november-surge.md"] ?? "";

/** The same folder after so many changes: rows come to the data, and words to a text. */
const change = (n: number) => ({
  ...HARBOUR,
  "gauge/readings.csv": `${HARBOUR["gauge/readings.csv"]}${Array.from({ length: n }, (_, at) => `Husum,2026-12-${String(at + 1).padStart(2, "0")},3.1\n`).join("")}`,
  "november-surge.md": SURGE.replace("The highest", `After ${n} days the highest`),
});

test("a run that was killed anywhere is finished by the next, and nothing is doubled", async () => {
  const limits = { publicationsPerDay: 1_000, updatesPerDay: 1_000, profileRevisions: 1_000 };
  const stage = await openStage({ limits });
  const folder = await writeFiles(HARBOUR);
  const startedMs = Date.now();
  expect((await stage.client(folder, "publish", ".")).exit).toBe(0);
  const wholeMs = Date.now() - startedMs;
  const before = Object.keys(await listWorks(stage)).length;
  for (let round = 1; round <= ROUNDS; round++) {
    await writeFiles(
      {
        ...change(Math.min(round, 28)),
        [`text-${round}.md`]: `---\ntitle: Text ${round}\nreferences: [{ to: gauge, relation: uses }]\n---\nWords.\n`,
      },
      folder,
    );
    await killAfter(stage, folder, (wholeMs * (round - 0.5)) / ROUNDS);
    // Whoever mends a text meanwhile is not taken for another hand.
    const text = change(round)["november-surge.md"].replace("days", "days at most");
    if (round % 2 === 0) await writeFiles({ "november-surge.md": text }, folder);
    const finished = await stage.client(folder, "publish", ".");
    expect([finished.exit, finished.json.errors], `round ${round}`).toEqual([0, []]);
    const works = await listWorks(stage);
    expect(Object.keys(works)).toHaveLength(before + round);
    expect(new Set(Object.values(works).map((work) => `${work.visibility} ${work.review_state}`))).toEqual(
      new Set(["public published"]),
    );
    expect(works[`text-${round}`].revision_number).toBe(1);
    expect(works.gauge.revision_number).toBe(Math.min(round, 28) + 1);
  }
  stage.requests.length = 0;
  expect((await stage.client(folder, "publish", ".")).exit).toBe(0);
  expect(stage.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.includes(".lock"))).toEqual([]);
}, 600_000);

test("a run that was killed before it knew the files of a work is finished by the next, and appends wait for that", async () => {
  const stage = await openStage();
  const folder = await writeFiles(HARBOUR);
  expect((await stage.client(folder, "publish", ".")).exit).toBe(0);
  const path = join(folder, "broadsheet.json");
  await rm(path);
  await writeFiles({ "gauge/readings.csv": change(2)["gauge/readings.csv"] }, folder);
  const { program, env } = stage;
  const child = spawn(process.execPath, [program, "publish", "."], { cwd: folder, env, stdio: "ignore" });
  const ended = once(child, "exit");
  await expect.poll(() => existsSync(path), { timeout: 30_000, interval: 1 }).toBe(true);
  child.kill("SIGKILL");
  await ended;
  const known = JSON.parse(await readFile(path, "utf8"));
  expect(known.sites[stage.site].works.gauge.sending).toEqual(expect.any(String));
  const appended = await stage.client(folder, "append", "gauge", join(folder, "gauge/readings.csv"));
  expect([appended.exit, appended.json.errors[0].code]).toEqual([3, "file_differs"]);
  const finished = await stage.client(folder, "publish", ".");
  expect([finished.exit, finished.json.errors], finished.stdout).toEqual([0, []]);
});
