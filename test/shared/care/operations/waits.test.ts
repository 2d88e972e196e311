import { expect, test } from "vitest";
import { checkLog, checkQueues } from "../../../../shared/care/doctor/work.ts";
import { readWaits } from "../../../../shared/care/operations/gauges.ts";
import { addLogKey } from "../../../../shared/trust/transparency-log/operate-log.ts";
import { connectAuthor, publishNew } from "../../../support/agent.ts";
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

const figuresOf = async (sequencer: string) => {
  const figures = await scrape();
  return [figures[`outbox_rows ${sequencer}`], figures[`outbox_oldest_seconds ${sequencer}`]];
};

test("a scrape tells what waits for each sequencer, and nothing waits for a log that is off", async () => {
  expect(await figuresOf("events")).toEqual([1, 90]);
  expect(await figuresOf("log")).toEqual([0, 0]);
  expect(await scrape()).not.toHaveProperty("log_size");
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
