import { access } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canConnect, withClient } from "../../cli/embedded/database.ts";
import { findOrphans, startProcess, until } from "../support/service-process.ts";

const RUNNER = join(import.meta.dirname, "fixtures", "cluster-runner.ts");

test("the cluster of a killed test runner goes away with its folder", { timeout: 240_000 }, async () => {
  const runner = startProcess({ command: process.execPath, args: [RUNNER], env: process.env });
  const adminUrl = String((await runner.said("cluster ready")).adminUrl);
  const folder = await withClient(adminUrl, async (client) => {
    const { rows } = await client.query("SELECT current_setting('data_directory') AS folder");
    return String(rows[0]?.folder);
  });
  const dataDir = join(folder, "..");
  runner.child.kill("SIGKILL");
  await runner.ended;
  const isThere = () =>
    access(dataDir).then(
      () => true,
      () => false,
    );
  await until(async () => !(await isThere()), 20_000);
  expect(await findOrphans(dataDir, [])).toEqual([]);
  expect(await canConnect(adminUrl)).toBe(false);
});
