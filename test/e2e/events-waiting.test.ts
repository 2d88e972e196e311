import { expect, test } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import type { Json } from "../support/agent.ts";
import { type HttpReply, send } from "../support/http-agent.ts";
import { openPublisher } from "../support/publisher.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";

// An agent waits for events at a process that is told to stop, and goes on at another one.
const WORKS = 12;
/** The process tells its balancer for so long, and closes within ten seconds. */
const STOP_NOTICE_MS = 3_000;
const TOLD_WITHIN_MS = 60_000;

const service = await openServiceOfRun();
const [staying] = await Promise.all([service.startApi(), service.startWorkers(["deliver"])]);
const { token, publishStory } = await openPublisher(service.deps, staying.url, "listener");

const ask = (url: string, cursor: string, wait = 25) =>
  send(url, { path: `/api/v1/events?after=${cursor}&wait=${wait}`, token });

/** An API process that is told to stop with a notice, and how many requests wait for events there. */
async function startLeaving() {
  const operatorsPort = await choosePort();
  const leaving = await service.startApi({
    env: { OPERATORS_PORT: String(operatorsPort), STOP_NOTICE_MS: String(STOP_NOTICE_MS) },
  });
  return {
    ...leaving,
    async countWaiting() {
      const { text } = await send(`http://127.0.0.1:${operatorsPort}`, { path: "/metrics" });
      return Number(/^broadsheet_waiting_for_events (\d+)$/m.exec(text)?.[1]);
    },
  };
}

test("SIGTERM answers a request that waits for events at once, with its own cursor", async () => {
  const leaving = await startLeaving();
  const { cursor } = (await send(staying.url, { path: "/api/v1/events?after=now", token })).json.meta;
  const waiting = ask(leaving.url, cursor);
  await until(async () => (await leaving.countWaiting()) === 1, 10_000);
  leaving.child.kill("SIGTERM");
  const { status, json } = await waiting;
  // The process still gives notice to its balancer: the answer did not wait for that.
  expect(leaving.lines.map(({ msg }) => msg)).not.toContain("api stopped");
  expect([status, json.data, json.links.next, json.meta]).toEqual([
    ...[200, [], null],
    { cursor, has_more: false, gap: false },
  ]);
  // Whoever asks it meanwhile does not wait either.
  expect((await ask(leaving.url, cursor)).json.meta.cursor).toBe(cursor);
  expect(leaving.lines.map(({ msg }) => msg)).not.toContain("api stopped");
  expect(await leaving.ended).toEqual({ code: 0, signal: null });
  expect((await ask(staying.url, cursor, 0)).json.data).toEqual([]);
});

test("a client that goes on with its cursor at another process misses nothing and is told nothing twice", async () => {
  const leaving = await startLeaving();
  const published: string[] = [];
  const told: string[] = [];
  let { cursor } = (await send(staying.url, { path: "/api/v1/events?after=now", token })).json.meta;
  const take = ({ status, json }: HttpReply) => {
    expect(status).toBe(200);
    told.push(...json.data.map((event: Json) => event.creation_id));
    cursor = json.meta.cursor;
    return json.data.length;
  };
  // The client asks the process that stops until that takes no more, and the other one from then on.
  const listening = (async () => {
    let url = leaving.url;
    for (const endMs = performance.now() + TOLD_WITHIN_MS; performance.now() < endMs; ) {
      const reply = await ask(url, cursor).catch(() => null);
      if (reply?.status === 200) take(reply);
      else url = staying.url;
      if (published.length === WORKS && told.includes(published.at(-1) ?? "")) return;
    }
  })();
  for (let work = 0; work < WORKS; work++) {
    published.push((await publishStory(`Tide ${work}`, "The gauge rose.")).id);
    if (work === WORKS / 2) leaving.child.kill("SIGTERM");
  }
  await listening;
  expect(await leaving.ended).toEqual({ code: 0, signal: null });
  expect(told).toEqual(published);
  expect(take(await ask(staying.url, cursor, 0))).toBe(0);
});
