import { pino } from "pino";
import { ulid } from "ulid";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import { buildApp } from "../../../api/app.ts";
import { buildOpenApi } from "../../../api/openapi/document.ts";
import type { ListedRoute } from "../../../api/openapi/route-list.ts";
import { CreateUploadRequest, UploadBytes, UploadRequest } from "../../../api/openapi/schemas.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { Deps } from "../../../shared/deps.ts";
import { DEFAULT_PAYLOAD_OPTIONS, schemasFor } from "../../../shared/payload/parse.ts";
import { openMetrics } from "../../../shared/telemetry/metrics.ts";
import type { Threads } from "../../../shared/threads/open.ts";
import { CONFIG, findFaults, READERS } from "./body-readers.ts";

const listed: ListedRoute[] = [];
const { payloads, envelope, changes: _, ...bodies } = schemasFor(DEFAULT_PAYLOAD_OPTIONS);
let documented: [string, z.ZodType][];

beforeAll(async () => {
  const log = pino({ level: "silent" });
  const parts = {
    config: CONFIG,
    log,
    metrics: openMetrics(),
    redis: null,
    now: () => 0,
    newId: () => ulid(),
  };
  const app = await buildApp(parts as unknown as Deps, {} as Threads, { routes: listed });
  await app.ready();
  await app.close();
  documented = listed.flatMap(({ method, url, docs: { body } }): [string, z.ZodType][] =>
    body === undefined || body === UploadRequest || body === UploadBytes ? [] : [[`${method} ${url}`, body]],
  );
});

describe("one schema a body", () => {
  it("holds for every route that takes JSON: its schema is one that bodies are read with", () => {
    expect(documented.map(([route]) => route).sort()).toEqual([...READERS.keys()].sort());
    const known = new Set<z.ZodType>([...Object.values(bodies), CreateUploadRequest]);
    expect(documented.filter(([, schema]) => !known.has(schema))).toEqual([]);
  });

  it("a route reads its body by the very schema that the document shows", async () => {
    for (const [route, schema] of documented) {
      // A creation is read in parts, as members may stand beside its payload or inside it.
      const isCreation = schema === bodies.create || schema === bodies.update;
      const parts: z.ZodType[] = isCreation ? [payloads.story, envelope] : [schema];
      const spies = parts.map((part) => vi.spyOn(part, "safeParse"));
      expect(await findFaults(route, { type: "story", payload: {}, revision_id: 1 })).not.toBeNull();
      expect([route, spies.map((spy) => spy.mock.calls.length)]).toEqual([route, parts.map(() => 1)]);
      vi.restoreAllMocks();
    }
  });

  it("the parts by which a creation is read are those of its schema", () => {
    expect(bodies.create.options).toHaveLength(Object.keys(payloads).length);
    for (const { shape } of [...bodies.create.options, bodies.update]) {
      const { type: _, payload, changes: __, ...saving } = { changes: null, ...shape };
      expect(Object.keys(saving)).toEqual(Object.keys(envelope.shape));
      for (const [name, field] of Object.entries(envelope.shape))
        expect(Object.entries(saving)).toContainEqual([name, field]);
      expect(payload).toBeDefined();
    }
    for (const { shape } of bodies.create.options) expect(shape.payload).toBe(payloads[shape.type.value]);
    for (const [place, payload] of Object.values(payloads).entries()) {
      expect(bodies.update.shape.payload.unwrap().options[place]).toBe(payload);
    }
  });
});

describe("figures in the document", () => {
  const environment = { SITE_URL: "https://example.org", DATA_DIR: "/nowhere" };
  const build = (limits: Record<string, string>) =>
    JSON.stringify(buildOpenApi(listed, loadConfig({ ...environment, ...limits })));

  it("are the limits in force", () => {
    expect(build({})).toContain("at most 365 days ahead");
    const built = build({ LIMIT_SCHEDULE_DAYS: "30", LIMIT_ROWS_PER_CALL: "250" });
    expect(built).toContain("at most 30 days ahead");
    expect(built).toContain("more than 250 is cut to 250");
    expect(built).not.toContain("365");
  });

  it("leave no place unfilled", () => {
    expect(build({}).match(/"description":"[^"]*\{[^"]*"/g)).toBeNull();
  });
});
