import { expect, test } from "vitest";
import { createBackup } from "../../../../shared/care/backup/create.ts";
import { checkBackup, checkLog, checkQueues } from "../../../../shared/care/doctor/work.ts";
import { addGauges, readWaits } from "../../../../shared/care/operations/gauges.ts";
import { addLogKey } from "../../../../shared/trust/transparency-log/operate-log.ts";
import { connectAuthor, publishNew } from "../../../support/agent.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { sequence } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service);
await runSql(service, "DELETE FROM event_outbox");
await publishNew(agent, { payload: { title: "Gauge", body_markdown: "It rose." } });
service.clock.nowMs += 90_000;

/** The figures of one scrape, by their names and labels. */
async function scrape(): Promise<Record<string, number>> {
  const waits = await readWaits(service.deps);
  return Object.fromEntries(
    waits.map(({ name, labels, figure }) => [[name, ...Object.values(labels)].join(" "), figure]),
  );
}

const refresh = addGauges(service.deps);

/** The samples of one scrape that are not told apart by labels. */
async function readPlain(): Promise<string> {
  await refresh();
  return await service.deps.metrics.registry.metrics();
}

const figuresOf = async (sequencer: string) => {
  const figures = await scrape();
  return [figures[`outbox_rows ${sequencer}`], figures[`outbox_oldest_seconds ${sequencer}`]];
};

test("a scrape tells what waits for each sequencer, and nothing waits for a log that is off", async () => {
  expect(await figuresOf("events")).toEqual([1, 90]);
  expect(await figuresOf("log")).toEqual([0, 0]);
  expect(await readPlain()).not.toMatch(/^broadsheet_log_size/m);
  expect(await checkLog(service.deps)).toMatchObject([
    { status: "ok", detail: "The log is off: there is no key." },
  ]);
});

test("a log that was begun has what waits for it, and doctor says so", async () => {
  await addLogKey(service.deps);
  expect(await sequence(service)).toBe(1);
  expect(await figuresOf("log")).toEqual([0, 0]);
  await publishNew(agent, { payload: { title: "Tide", body_markdown: "It fell." } });
  service.clock.nowMs += 90_000;
  expect(await figuresOf("log")).toEqual([1, 90]);
  expect(await figuresOf("events")).toEqual([2, 180]);
  expect(await checkLog(service.deps)).toMatchObject([
    { status: "warn", detail: "The log goes on. 1 entry, 1 waits, the oldest for 90 s." },
  ]);
  const events = (await checkQueues(service.deps)).find(({ check }) => check === "events");
  expect(events).toMatchObject({
    status: "warn",
    detail: "2 changes wait to be told to agents, the oldest for 180 s.",
  });
  service.clock.nowMs += 900_000;
  expect(await checkLog(service.deps)).toMatchObject([{ status: "fail" }]);
});

test("a backup has an age, and one that is old or missing is told", async () => {
  const folder = await openFolder();
  expect(await checkBackup(service.deps)).toMatchObject([{ status: "ok", detail: "None was made." }]);
  service.clock.nowMs += 24 * 3_600_000;
  expect(await checkBackup(service.deps)).toMatchObject([{ status: "warn", detail: "None was made." }]);
  expect(await readPlain()).not.toMatch(/^broadsheet_backup_age_seconds/m);
  await createBackup(service.deps, service.databaseUrl, `${folder}/one`);
  service.clock.nowMs += 26 * 3_600_000;
  expect(await readPlain()).toMatch(/^broadsheet_backup_age_seconds 93600$/m);
  expect(await checkBackup(service.deps)).toMatchObject([
    { status: "ok", detail: "The newest is 26 h old." },
  ]);
  service.clock.nowMs += 1_000;
  expect(await checkBackup(service.deps)).toMatchObject([{ status: "warn" }]);
});
