import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import type { Finding } from "../../shared/care/doctor/finding.ts";
import { createTestDatabase } from "../support/cluster.ts";
import { runEntry } from "../support/command.ts";
import { runHere } from "../support/run-here.ts";
import { openSmtpServer } from "../support/smtp-server.ts";
import { storeFiles, withCommandLine } from "../support/stored-files.ts";

// Some commands start a PostgreSQL of their own.
vi.setConfig({ testTimeout: 360_000 });

let databaseUrl = "";
let dataDir = "";

const database = await createTestDatabase();
databaseUrl = database.url;
dataDir = await makeTemporaryDataFolder("broadsheet-test-");

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

const run = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  runHere(args, { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...env });

/** What doctor says, and its exit code. */
async function examine(env: NodeJS.ProcessEnv = {}) {
  const { code, stdout, stderr } = await run(["doctor"], env);
  expect(stderr).toBe("");
  const findings: Finding[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const finding of findings) {
    expect(Object.keys(finding)).toEqual(["check", "status", "detail", "mend"]);
    expect(finding.mend === null).toBe(finding.status === "ok");
  }
  expect(code).toBe(findings.some(({ status }) => status === "fail") ? 1 : 0);
  const of = (status: Finding["status"]) =>
    findings.filter((finding) => finding.status === status).map(({ check }) => check);
  return { code, findings, of, find: (check: string) => findings.find((finding) => finding.check === check) };
}

test("on a data folder of its own: what is missing, then, migrated, that all is well", async () => {
  const own = await makeTemporaryDataFolder("broadsheet-test-");
  const env = { DATABASE_URL: "", DATA_DIR: own };
  try {
    const before = await examine(env);
    expect(before.of("fail")).toEqual(["database"]);
    expect(before.find("database")?.detail).toContain(`DATA_DIR names ${own}, which holds no database.`);
    expect(await readdir(own)).toEqual([]);
    expect((await runEntry("migrate.ts", [], env)).code).toBe(0);
    const after = await examine(env);
    expect(after.of("fail")).toEqual([]);
    expect(after.of("ok")).toEqual(
      expect.arrayContaining([
        ...["configuration", "database.version", "database.role", "database.settings", "database.migrations"],
        ...["clock", "redis", "files.store", "files.missing", "files.orphans", "schedules", "events", "mail"],
        ...["queue.inspect-asset", "queue.draw-blocks", "queue.build-feed"],
      ]),
    );
    expect(after.find("redis")?.detail).toMatch(/^Not configured/);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
});

test("what is wrong with the environment or the database is a finding, and no password is told", async () => {
  const wrong = await examine({ PORT: "x", SMTP_URL: "smtp://mail.example.org" });
  expect(wrong.of("fail")).toEqual(["configuration", "configuration"]);
  expect(wrong.findings.map(({ detail }) => detail.split(" ")[0])).toEqual(["PORT", "MAIL_FROM"]);
  const away = await examine({ DATABASE_URL: "postgres://broadsheet:t0ps3cret@127.0.0.1:1/none" });
  expect(away.of("ok")).toContain("configuration");
  expect(away.code).toBe(1);
  expect(JSON.stringify(away.findings)).not.toContain("t0ps3cret");
});

test("settings that may lose data fail, on this test's own database", async () => {
  const { findings, of } = await examine({ SITE_URL: "https://broadsheet.example.org" });
  expect(of("fail")).toEqual(["database.settings", "database.settings"]);
  expect(of("warn")).toContain("mail");
  expect(findings.map(({ detail }) => detail).join(" ")).toMatch(/fsync is off.*full_page_writes is off/);
});

test.each([
  ["invite", "whoever is invited gets no mail."],
  ["open", "whoever signs up gets no mail."],
])(
  "where sign-up is %s a missing mail server is a warning, on this machine too",
  async (SIGN_UP, sentence) => {
    expect((await examine()).find("mail")?.status).toBe("ok");
    const mail = (await examine({ SIGN_UP })).find("mail");
    expect([mail?.status, mail?.detail.endsWith(sentence)]).toEqual(["warn", true]);
  },
);

test("the mail server is asked, and a wrong one is told without its password", async () => {
  const server = await openSmtpServer();
  const MAIL_FROM = "mail@example.org";
  expect((await examine({ SMTP_URL: server.url, MAIL_FROM })).find("mail")?.status).toBe("ok");
  const SMTP_URL = "smtp://postman:t0ps3cret@127.0.0.1:1";
  const { find } = await examine({ SMTP_URL, MAIL_FROM });
  expect(find("mail")?.status).toBe("fail");
  expect(find("mail")?.detail).not.toContain("t0ps3cret");
  expect(server.received).toEqual([]);
});

test("files verify finds every fault, files gc what has no row, and doctor both", async () => {
  const texts = ["year,rain\n2024,1\n", "year,rain\n2025,2\n", "a,b\n1,2\n", "c,d\n3,4\n"];
  const ids = await withCommandLine(databaseUrl, dataDir, (deps) => storeFiles(deps, texts));
  expect((await run(["files", "verify"])).json()).toMatchObject({ checked: 4, bytes: 50, wrong: 0 });
  const pathOf = (id: string) => join(dataDir, "files", id.slice(-2), id);
  const [whole = "", flipped = "", cut = "", gone = ""] = ids;
  const bytes = await readFile(pathOf(flipped));
  bytes[bytes.length - 2] = 0x39;
  await writeFile(pathOf(flipped), bytes);
  await writeFile(pathOf(cut), "a,b\n");
  await rm(pathOf(gone));
  const orphan = "01M7X6WBAZDT3JDAMJ1NB8D4T6";
  await mkdir(join(pathOf(orphan), ".."), { recursive: true });
  await writeFile(pathOf(orphan), "left");
  const verified = await run(["files", "verify"]);
  expect(verified.code).toBe(1);
  const { files, ...counts } = JSON.parse(verified.stdout);
  expect(counts).toEqual({ checked: 4, bytes: 38, wrong: 3 });
  expect(
    files.map((file: { asset_id: string; fault: string }) => [file.asset_id, file.fault]).toSorted(),
  ).toEqual(
    [
      [flipped, "hash"],
      [cut, "size"],
      [gone, "missing"],
    ].toSorted(),
  );
  expect(files.some((file: { asset_id: string }) => file.asset_id === whole)).toBe(false);
  // A file without a row may be one whose row is on its way.
  expect((await run(["files", "gc"])).json()).toEqual({ orphans: 0, files: [] });
  const old = new Date(Date.now() - 2 * 3_600_000);
  await utimes(pathOf(orphan), old, old);
  expect((await run(["files", "gc"])).json()).toEqual({ orphans: 1, files: [orphan] });
  await chmod(join(dataDir, "files"), 0o755);
  const { find } = await examine();
  expect(find("files.mode")).toMatchObject({
    status: "ok",
    detail: expect.stringContaining("closed to them"),
  });
  expect((await stat(join(dataDir, "files"))).mode & 0o777).toBe(0o750);
  expect(find("files.missing")?.detail).toContain(gone);
  expect(find("files.orphans")?.detail).toContain(orphan);
  expect((await run(["files", "gc", "--delete"])).json()).toEqual({ deleted: 1 });
});

test("backup create and restore work from the command line, into a data folder of its own", async () => {
  const folder = await makeTemporaryDataFolder("broadsheet-test-");
  const [to, own] = [join(folder, "backup"), join(folder, "restored")];
  const emptied = await createTestDatabase();
  const source = { DATABASE_URL: emptied.url, DATA_DIR: join(folder, "source") };
  try {
    await withCommandLine(source.DATABASE_URL, source.DATA_DIR, (deps) => storeFiles(deps, ["a,b\n1,2\n"]));
    const made = (await run(["backup", "create", "--to", to], source)).json();
    expect(made).toMatchObject({ backup: to, files: 1, bytes: 8, missing: [] });
    const env = { DATABASE_URL: "", DATA_DIR: own };
    const restored = (await run(["backup", "restore", "--from", to], env)).json();
    expect(restored).toMatchObject({ restored: to, files: 1, rows: made.rows });
    expect((await run(["backup", "restore", "--from", to], source)).refusal().code).toBe("validation_failed");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
