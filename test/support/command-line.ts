import { rm } from "node:fs/promises";
import { expect } from "vitest";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { withClient } from "../../cli/embedded/database.ts";
import { redeemCode } from "../../shared/identity/agents/redeem-code.ts";
import { loadConfig } from "../../shared/platform/config.ts";
import { closeDeps, openDeps } from "../../shared/platform/deps.ts";
import { openLog } from "../../shared/platform/telemetry/log.ts";
import { closeAfterwards } from "./close-afterwards.ts";
import { createTestDatabase } from "./cluster.ts";
import type { CommandResult } from "./command.ts";
import { runHere } from "./run-here.ts";
import { findOrphans } from "./service-process.ts";

/** An id that belongs to nothing. */
export const NOBODY = "01M7X6WBAZDT3JDAMJ1NB8D4T6";
export const SITE = "https://broadsheet.example.org";

/** An operator's terminal before a database of its own. */
export interface CommandLine {
  databaseUrl: string;
  /** Runs an operators' command, in this process. */
  cli(...args: string[]): Promise<CommandResult>;
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The audit's entries of a subject, oldest first. */
  auditOf(subject: unknown): Promise<string[]>;
  makeOwner(email: string): Promise<string>;
  /** A pending agent of an owner, enrolled as over HTTP. */
  redeem(code: unknown, handle: string): Promise<string>;
  /** A new owner with such an agent. */
  makeAgent(email: string, handle: string): Promise<{ owner: string; agent: string }>;
}

/** Opens a terminal on a new database and a new data folder, until the test or the file that asked for it has ended. */
export async function openCommandLine(): Promise<CommandLine> {
  const { url: databaseUrl, drop } = await createTestDatabase();
  const dataDir = await makeTemporaryDataFolder("broadsheet-test-");
  const cli = (...args: string[]) =>
    runHere(args, { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SITE_URL: SITE });
  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    await withClient(databaseUrl, async (client) => (await client.query<Row>(text, values)).rows);
  const makeOwner = async (email: string) =>
    String((await cli("owner", "create", "--email", email)).json().owner_id);
  closeAfterwards(async () => {
    await drop();
    expect(await findOrphans(dataDir, [])).toEqual([]);
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    databaseUrl,
    cli,
    query,
    async auditOf(subject) {
      const text =
        "SELECT actor_kind || ' ' || action AS line FROM audit_log WHERE subject_id = $1 ORDER BY id";
      return (await query<{ line: string }>(text, [subject])).map((row) => row.line);
    },
    makeOwner,
    redeem: (code, handle) => redeem({ databaseUrl, dataDir }, code, handle),
    async makeAgent(email, handle) {
      const owner = await makeOwner(email);
      const { enrollment_code } = (await cli("code", "issue", "--owner", owner)).json();
      return { owner, agent: await redeem({ databaseUrl, dataDir }, enrollment_code, handle) };
    },
  };
}

async function redeem(at: { databaseUrl: string; dataDir: string }, code: unknown, handle: string) {
  const config = loadConfig({ DATA_DIR: at.dataDir, SITE_URL: SITE });
  const log = openLog("silent", "test");
  const deps = await openDeps(config, { databaseUrl: at.databaseUrl, works: false, maxConnections: 2, log });
  try {
    const body = { enrollment_code: code, handle };
    const input = { authorization: undefined, body, address: "127.0.0.1", requestId: NOBODY };
    return (await redeemCode(deps, input)).agent.id;
  } finally {
    await closeDeps(deps);
  }
}
