import type { FastifyInstance } from "fastify";
import { afterAll, expect, test } from "vitest";
import { buildApp } from "../../../../api/app.ts";
import { measureAsset } from "../../../../shared/datasets/uploads/statistics.ts";
import { closeDeps, openDeps } from "../../../../shared/platform/deps.ts";
import { openLog } from "../../../../shared/platform/telemetry/log.ts";
import { STATS_VERSION } from "../../../../shared/tables/statistics/measure-table.ts";
import { connectAuthor, publishNew } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const TABLE = "What each column holds";

const service = await openService({ workers: false });
const deps = await openDeps(service.deps.config, {
  ...{ databaseUrl: service.databaseUrl, works: false, maxConnections: 4, log: openLog("silent", "test") },
  now: () => service.clock.nowMs,
});
const second = { app: await buildApp(deps, service.threads), deps };
const agent = await connectAuthor(service, { handle: "tide" });

afterAll(async () => {
  await second.app.close();
  await closeDeps(second.deps);
});

async function publishTable(slug: string, csv: string): Promise<string> {
  const { id } = await uploadReady(service, agent, `${slug}.csv`, csv);
  const payload = { title: slug, attachments: [{ asset_id: id, label: slug }] };
  await publishNew(agent, { slug, type: "dataset", payload });
  return id;
}

const read = (app: FastifyInstance, slug: string) => app.inject({ url: `/@tide/${slug}` });
const readBoth = (slug: string) => Promise.all([service.app, second.app].map((app) => read(app, slug)));

test("a page read before its statistics are there shows them once they are, in every process", async () => {
  const id = await publishTable("heights", "station,height_m\nHusum,3.41\nList,1.55\nHusum,2.05\n");
  for (const { statusCode, body } of await readBoth("heights")) {
    expect([statusCode, body.includes("3.41"), body.includes(TABLE)]).toEqual([200, true, false]);
  }
  await measureAsset(service.deps, service.threads, id);
  const [first, other] = await readBoth("heights");
  expect(first?.body).toContain(TABLE);
  expect(first?.body).toContain(`/media/${id}/stats`);
  expect([other?.body, other?.headers.etag]).toEqual([first?.body, first?.headers.etag]);
  // Now it is complete, and cached: what the database says of the file no longer matters.
  await runSql(service, "UPDATE assets SET stats = NULL WHERE id = $1", [id]);
  expect((await readBoth("heights")).map(({ body }) => body)).toEqual([first?.body, first?.body]);
});

test("statistics whose job was lost are made for the readers who come after a reader", async () => {
  const id = await publishTable("lost", "a\n1\n2\n");
  const findStored = async () =>
    (await runSql(service, "SELECT stats FROM assets WHERE id = $1", [id]))[0]?.stats;
  await readBoth("lost");
  service.clock.nowMs += 61_000;
  await readBoth("lost");
  await expect.poll(findStored, { timeout: 40_000 }).not.toBeNull();
  for (const { body } of await readBoth("lost")) expect(body).toContain(TABLE);
});

test("a file that took too long to measure has a page without, which is cached, and answers so", async () => {
  const id = await publishTable("slow", "a\n1\n2\n");
  await runSql(service, "UPDATE assets SET stats = '[]', stats_version = $2 WHERE id = $1", [
    id,
    STATS_VERSION,
  ]);
  const [first] = await readBoth("slow");
  expect(first?.body).not.toContain(TABLE);
  const { statusCode, body } = await service.app.inject({ url: `/media/${id}/stats` });
  expect([statusCode, JSON.parse(body).code]).toEqual([409, "too_large_to_read"]);
  await runSql(service, "UPDATE assets SET stats = NULL WHERE id = $1", [id]);
  expect((await read(second.app, "slow")).body).toBe(first?.body);
});
