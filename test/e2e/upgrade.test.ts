import { afterAll, expect, test } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import { API_COMMAND } from "../../cli/supervisor/service.ts";
import { VERSION } from "../../shared/ground/version.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { runHere } from "../support/run-here.ts";
import { type ServiceProcess, startProcess, until } from "../support/service-process.ts";
import { runSql } from "../support/tables.ts";

const LATER = "9999_later.sql";

let started: ServiceProcess[] = [];

const service = await openServiceOfRun();
afterAll(async () => {
  for (const { child, ended } of started) {
    child.kill("SIGKILL");
    await ended;
  }
});

function start(args: readonly string[], port: number): ServiceProcess {
  const { databaseUrl, dataDir } = service;
  const own = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: String(port), STOP_NOTICE_MS: "0" };
  const running = startProcess({ command: process.execPath, args, env: { ...process.env, ...own } });
  started = [...started, running];
  return running;
}

async function ask(port: number, path: string): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } });
  return { status: response.status, json: await response.json() };
}

async function laterMigration(kind: "expand" | "contract" | null): Promise<void> {
  await runSql(service, `DELETE FROM schema_migrations WHERE name = '${LATER}'`);
  if (kind !== null)
    await runSql(
      service,
      `INSERT INTO schema_migrations (name, sha256, kind) VALUES ('${LATER}', 'x', '${kind}')`,
    );
}

test("on a database that does not fit, processes wait, say why in the log and at /readyz, and begin once it fits", {
  timeout: 240_000,
}, async () => {
  const [first] = await runSql(
    service,
    "DELETE FROM schema_migrations WHERE name = '0100_baseline.sql' RETURNING *",
  );
  const port = await choosePort();
  const api = start(API_COMMAND, port);
  const workers = start(["workers/main.ts", "feed"], 0);
  const answers = () =>
    ask(port, "/readyz").then(
      ({ status }) => status === 503,
      () => false,
    );
  await until(answers, 30_000);
  const older = {
    status: "not ready",
    reason: `The database is older than version ${VERSION}: it has not run 0100_baseline.sql.`,
    mend: expect.stringContaining("npm run migrate"),
  };
  expect(await ask(port, "/readyz")).toEqual({ status: 503, json: older });
  expect((await ask(port, "/api/v1/topics")).status).toBe(503);
  expect(await ask(port, "/healthz")).toEqual({ status: 200, json: { status: "ok", version: VERSION } });
  const told = ({ lines }: ServiceProcess) => lines.filter(({ level }) => level === "error");
  await until(() => told(workers).length > 0, 30_000);
  for (const running of [api, workers]) {
    expect(told(running)).toMatchObject([{ reason: older.reason, mend: older.mend }]);
    expect(running.lines.map(({ msg }) => msg)).not.toContain("api listening");
  }
  const { name, sha256, kind } = first ?? {};
  await runSql(service, `INSERT INTO schema_migrations VALUES ('${name}', '${sha256}', '${kind}')`);
  await Promise.all([api.said("api listening"), workers.said("workers ready")]);
  expect((await ask(port, "/readyz")).status).toBe(200);

  // The next version's migrations: this one works with those that expand, and leaves the others' database alone.
  await laterMigration("expand");
  expect((await ask(port, "/readyz")).status).toBe(200);
  await laterMigration("contract");
  expect(await ask(port, "/readyz")).toMatchObject({
    status: 503,
    json: { reason: `The database is newer than version ${VERSION}: it has run ${LATER}.` },
  });
  await laterMigration(null);
});

test("the version is that of package.json", async () => {
  expect(await runHere(["--version"], {})).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: "" });
});
