import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { withClient } from "../../cli/embedded/database.ts";
import { createBackup } from "../../shared/care/backup/create.ts";
import { migrate } from "../../shared/platform/process/migrate.ts";
import { BASELINE } from "../../sql/connection/baseline.ts";
import { readMigrations } from "../../sql/connection/migration-files.ts";
import { openFolder } from "../support/close-afterwards.ts";
import { createTestDatabase } from "../support/cluster.ts";
import { runHere } from "../support/run-here.ts";
import { withCommandLine } from "../support/stored-files.ts";
import { noteVersion040 } from "../support/version-040.ts";

const folder = await openFolder();
const database = await createTestDatabase();
const env = { DATABASE_URL: database.url, DATA_DIR: join(folder, "data") };

const create = async (...words: string[]) => await runHere(["backup", "create", ...words], env);

test("backups of each night keep the newest, and nothing else of their folder is touched", async () => {
  const backups = join(folder, "backups");
  // A backup that did not end, a stranger's folder and file, and one whose removal was stopped in the middle.
  for (const name of ["20260101T030000000Z", "photos", "20251231T030000000Z.removing", "removals"])
    await mkdir(join(backups, name, "tables"), { recursive: true });
  await writeFile(join(backups, "removals", "removals.ndjson"), "");
  const made: string[] = [];
  for (let night = 0; night < 4; night++) {
    const list = join(backups, "removals", "removals.ndjson");
    const options = ["backup", "create", "--in", backups, "--keep", "2"];
    const answer = (await runHere(options, { ...env, REMOVALS_FILE: list })).json();
    made.push(String(answer.backup));
    expect(answer.removed).toEqual(night < 2 ? [] : [made[night - 2]]);
    expect(answer.incomplete).toEqual([join(backups, "20260101T030000000Z"), join(backups, "photos")]);
  }
  expect(basename(made[0] ?? "")).toMatch(/^\d{8}T\d{9}Z$/);
  const left = ["20260101T030000000Z", ...made.slice(2).map((path) => basename(path)), "photos"];
  expect((await readdir(backups)).toSorted()).toEqual([...left, "removals"].toSorted());
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
  const file = join(folder, "file");
  await writeFile(file, "");
  const { message } = (await create("--to", file)).refusal();
  expect(message).toMatch(
    /^The system refuses .*EEXIST.*\/file'\): free space, or name a place [^\n]* read and write\.$/,
  );
  expect(await readdir(folder)).not.toContain("elsewhere");
});

// The files of each version that made backups. A later one stands behind them, whatever was written first: a backup is
// taken whose files are the first of this code's.
const LANDED = [
  BASELINE,
  "0110_pending_work.sql",
  "0123_pace_webhooks_and_mute_agents.sql",
  "0126_restored_schedules.sql",
  "0128_retraction_marks.sql",
];

/** A backup of a database of a version, or of what `prepare` leaves of it. */
async function backUp(to: string, upTo: string, prepare: (url: string) => Promise<unknown> = async () => {}) {
  const source = await createTestDatabase(undefined, { isEmpty: true });
  await migrate(source.url, { upTo });
  await withClient(source.url, async (client) => {
    await client.query("UPDATE topics SET label = 'Weather' WHERE slug = 'climate'");
    await client.query(
      `INSERT INTO owners (id, email, created_at)
         VALUES ('01M7X6WBAZDT3JDAMJ1NB8D4T6', 'nora@example.org', '2026-11-20T00:00:00Z')`,
    );
  });
  await prepare(source.url);
  await withCommandLine(source.url, join(folder, "source"), (deps) => createBackup(deps, source.url, to));
}

const noteAs040 = (url: string) => withClient(url, noteVersion040);
test.each([
  ["0.4.0", BASELINE, noteAs040],
  ["the version before", LANDED.at(-1) ?? "", undefined],
])(
  "a backup of %s comes back in a new database, which then has the newest schema",
  async (name, upTo, prepare) => {
    const to = join(folder, name);
    await backUp(to, upTo, prepare);
    const { migrations } = JSON.parse(await readFile(join(to, "manifest.json"), "utf8"));
    if (prepare === undefined) expect(migrations).toMatchObject(LANDED.map((file) => ({ name: file })));
    const target = await createTestDatabase(undefined, { isEmpty: true });
    const place = { DATABASE_URL: target.url, DATA_DIR: join(folder, `${name} restored`) };
    const restored = (await runHere(["backup", "restore", "--from", to], place)).json();
    expect(restored).toMatchObject({ restored: to, files: 0 });
    await withClient(target.url, async (client) => {
      const names = await client.query("SELECT name FROM schema_migrations ORDER BY name");
      expect(names.rows).toEqual((await readMigrations()).map(({ name }) => ({ name })));
      const { rows } = await client.query(
        "SELECT email, label FROM owners, topics WHERE slug = 'climate' OR label = 'Climate and weather'",
      );
      expect(rows).toEqual([{ email: "nora@example.org", label: "Weather" }]);
    });
    expect((await migrate(target.url)).applied).toEqual([]);
  },
);

test("a backup of before 0.4.0 or of newer code is refused, and nothing is written", async () => {
  const change = {
    "0092_old_search_indexes.sql": "DELETE FROM schema_migrations WHERE name = '0092_old_search_indexes.sql'",
    "9999_later.sql": "INSERT INTO schema_migrations VALUES ('9999_later.sql', repeat('0', 64), 'expand')",
  };
  for (const [name, text] of Object.entries(change)) {
    const to = join(folder, name);
    await backUp(to, BASELINE, (url) =>
      withClient(url, async (client) => {
        await noteVersion040(client);
        await client.query(text);
      }),
    );
    const { errors } = (await runHere(["backup", "restore", "--from", to], env)).refusal();
    expect(errors?.from).toEqual([
      expect.stringMatching(
        /^The backup is of a schema up to \S+\. Restore it with the code it was made with/,
      ),
    ]);
    const owners = await withClient(database.url, (client) => client.query("SELECT FROM owners"));
    expect(owners.rowCount).toBe(0);
  }
});
