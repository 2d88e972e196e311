import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  addWitnessedLog,
  listWitnessKeys,
  readWitnessedLogs,
  reopenWitnessedLog,
} from "../../../../shared/trust/witness/witnessed-logs.ts";
import { openForeignLog } from "../../../support/foreign-log.ts";
import { makeLogKey } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false, config: { isWitness: true } });
const { deps } = service;

test("makes no file where there is one", async () => {
  await listWitnessKeys(deps);
  const folder = join(deps.config.dataDir, "keys");
  const { mtimeMs } = await stat(folder);
  await listWitnessKeys(deps);
  expect((await stat(folder)).mtimeMs).toBe(mtimeMs);
});

test("the key of the site's own log cosigns nothing, wherever either is kept", async () => {
  const key = makeLogKey();
  const config = { ...deps.config, witnessKeys: [key] };
  await expect(listWitnessKeys({ config: { ...config, logKeys: [key] } })).rejects.toThrow(/own log/);
  const file = join(deps.config.dataDir, "keys", "log.key");
  await writeFile(file, `${key}\n`);
  await expect(listWitnessKeys({ config })).rejects.toThrow(/own log/);
  await rm(file);
});

test("a file that is no key says what mends it", async () => {
  const file = join(deps.config.dataDir, "keys", "witness.key");
  const text = await readFile(file, "utf8");
  await writeFile(file, "damaged\n");
  await expect(listWitnessKeys(deps)).rejects.toThrow(`${file} is damaged: put it back, or remove it and`);
  await expect(listWitnessKeys(deps)).rejects.toThrow("witness log reopen");
  await writeFile(file, text);
});

test("a log whose key is not there is listed with what to do, and a key of WITNESS_KEY never begins it twice", async () => {
  const keys = [1, 2, 3].map(() => makeLogKey());
  const given = (...witnessKeys: string[]) => ({ ...deps, config: { ...deps.config, witnessKeys } });
  const [first = "", second = "", third = ""] = keys;
  const { origin, vkey } = openForeignLog("lake.example/log");
  await addWitnessedLog(given(first), origin, vkey);
  const { logs } = await readWitnessedLogs(given(second));
  expect(logs.find((one) => one.origin === origin)?.mend).toMatch(/witness log reopen/);
  await reopenWitnessedLog(given(second), origin);
  await expect(reopenWitnessedLog(given(first), origin)).rejects.toThrow(/cosigned this log before/);
  // An older database does not know the second one, and the site may have moved.
  const moved = given(second, third);
  await runSql(service, `UPDATE witnessed_logs SET vkey = 'x+1+older' WHERE origin = '${origin}'`);
  moved.config.siteUrl = "https://moved.example";
  await expect(reopenWitnessedLog(moved, origin)).rejects.toThrow(/cosigned this log before/);
  expect(await reopenWitnessedLog(given(third), origin)).toMatchObject({ size: 0 });
});
