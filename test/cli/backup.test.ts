import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/cluster.ts";
import { runHere } from "../support/run-here.ts";

let folder: string;
let database: TestDatabase;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "broadsheet-backups-"));
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url, DATA_DIR: join(folder, "data") };
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const create = async (...words: string[]) => await runHere(["backup", "create", ...words], env);

test("backups of each night keep the newest, and nothing else of their folder is touched", async () => {
  const backups = join(folder, "backups");
  // A backup that did not end, a stranger's folder and file, and one whose removal was stopped in the middle.
  for (const name of ["20260101T030000000Z", "photos", "20251231T030000000Z.removing"])
    await mkdir(join(backups, name, "tables"), { recursive: true });
  await writeFile(join(backups, "removals.ndjson"), "");
  const made: string[] = [];
  for (let night = 0; night < 4; night++) {
    const answer = (await create("--in", backups, "--keep", "2")).json();
    made.push(String(answer.backup));
    expect(answer.removed).toEqual(night < 2 ? [] : [made[night - 2]]);
    expect(answer.incomplete).toEqual([join(backups, "20260101T030000000Z"), join(backups, "photos")]);
  }
  expect(basename(made[0] ?? "")).toMatch(/^\d{8}T\d{9}Z$/);
  const left = ["20260101T030000000Z", ...made.slice(2).map((path) => basename(path)), "photos"];
  expect((await readdir(backups)).toSorted()).toEqual([...left, "removals.ndjson"].toSorted());
  // Beside a backup of a name of one's own, too.
  const own = (await create("--to", join(backups, "before-the-move"), "--keep", "1")).json();
  expect(own.removed).toEqual([made[3], made[2]]);
});

test("a number that is none and a place that is not one are refused, and nothing is written", async () => {
  const place = join(folder, "elsewhere");
  for (const keep of ["0", "-1", "two", "1.5"]) {
    const { errors } = (await create("--in", place, "--keep", keep)).refusal();
    expect(errors).toEqual({ keep: ["--keep takes a whole number of backups, 1 or more."] });
  }
  for (const words of [[], ["--in", place, "--to", place]]) {
    const { errors } = (await create(...words)).refusal();
    expect(errors?.to).toEqual(["Name one place: --to with a new folder, or --in with a folder of backups."]);
  }
  expect(await readdir(folder)).not.toContain("elsewhere");
});
