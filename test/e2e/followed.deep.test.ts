import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { clearBanner, setBanner } from "../../shared/care/administration/banner.ts";
import { addBlock, liftBlock } from "../../shared/care/moderation/blocks.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";

// Two API processes on one database: each learns of a block and of a banner by itself, within seconds.
let service: RealService;
let processes: ApiProcess[];

beforeAll(async () => {
  service = await openRealService({ cluster: inject("cluster"), env: { TRUST_PROXY: "true" } });
  processes = await Promise.all([service.startApi(), service.startApi()]);
});
afterAll(async () => {
  expect(service.failures()).toEqual([]);
  expect(await service.close()).toEqual([]);
});

const NETWORK = { network: "203.0.113.0/24" };
const TERMS = { reason: null, untilMs: null };

/** The statuses that every process answers a caller of the network with. */
const ask = async (path: string) =>
  await Promise.all(
    processes.map(
      async ({ url }) =>
        (await fetch(`${url}${path}`, { headers: { "x-forwarded-for": "203.0.113.7" } })).status,
    ),
  );
const areAll = (path: string, status: number) => async () => (await ask(path)).every((one) => one === status);

test("a block holds in every process within seconds, health checks apart, and so does its end", async () => {
  expect(await ask("/")).toEqual([200, 200]);
  await addBlock(service.deps, COMMAND_LINE, NETWORK, TERMS);
  await until(areAll("/", 403), 10_000);
  expect(await ask("/api/v1/topics")).toEqual([403, 403]);
  expect(await ask("/healthz")).toEqual([200, 200]);
  expect(await ask("/readyz")).toEqual([200, 200]);
  await liftBlock(service.deps, COMMAND_LINE, NETWORK);
  await until(areAll("/", 200), 10_000);
});

test("a process that starts knows the blocks before its first answer", async () => {
  await addBlock(service.deps, COMMAND_LINE, NETWORK, TERMS);
  const late = await service.startApi();
  const { status } = await fetch(`${late.url}/`, { headers: { "x-forwarded-for": "203.0.113.7" } });
  expect(status).toBe(403);
  await liftBlock(service.deps, COMMAND_LINE, NETWORK);
});

test("a banner is on the cached pages of every process within seconds, and off them again", async () => {
  const read = () => Promise.all(processes.map(async ({ url }) => (await fetch(`${url}/`)).text()));
  const areShowing = (isShown: boolean) => async () =>
    (await read()).every((page) => page.includes("We move on 1 December.") === isShown);
  const before = await read();
  const wish = { text: "We move on 1 December.", audience: "everyone", untilMs: null };
  await setBanner(service.deps, COMMAND_LINE, wish);
  await until(areShowing(true), 10_000);
  await setBanner(service.deps, COMMAND_LINE, { ...wish, untilMs: service.deps.now() + 3_000 });
  await until(areShowing(false), 10_000);
  await clearBanner(service.deps, COMMAND_LINE);
  expect(await read()).toEqual(before);
});
