import { AsyncLocalStorage } from "node:async_hooks";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Context, context, propagation, ROOT_CONTEXT, type Span, trace } from "@opentelemetry/api";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { insideSpan, startRequestSpan } from "../../../../shared/platform/telemetry/tracing.ts";
import { sql } from "../../../../sql/connection/pool.ts";
import { connectAgent, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";

interface Told {
  name: string;
  id: string;
  parent: string | null;
  attributes: Record<string, unknown>;
}

const ended: Told[] = [];
let made = 0;

/** As little of an SDK as tells which span stands under which; an operator preloads a real one. */
function register(): void {
  const active = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => active.getStore() ?? ROOT_CONTEXT,
    with: (inner, work, self, ...args) => active.run(inner, () => work.apply(self, args)),
    bind: (_context, target) => target,
    enable: () => context as never,
    disable: () => context as never,
  });
  propagation.setGlobalPropagator({
    inject(from, carrier, setter) {
      const of = trace.getSpanContext(from);
      if (of) setter.set(carrier, "traceparent", `00-${of.traceId}-${of.spanId}-01`);
    },
    extract(into, carrier, getter) {
      const [, traceId = "", spanId = ""] = String(getter.get(carrier, "traceparent")).split("-");
      return trace.setSpanContext(into, { traceId, spanId, traceFlags: 1 });
    },
    fields: () => ["traceparent"],
  });
  const startSpan = (name: string, options: { attributes?: object } = {}, from = context.active()): Span => {
    const id = (++made).toString(16).padStart(16, "0");
    const told: Told = { name, id, parent: trace.getSpanContext(from)?.spanId ?? null, attributes: {} };
    Object.assign(told.attributes, options.attributes);
    const span = {
      spanContext: () => ({ traceId: "1".repeat(32), spanId: id, traceFlags: 1 }),
      setAttribute: (key: string, value: unknown) => Object.assign(told.attributes, { [key]: value }) && span,
      setAttributes: (more: object) => Object.assign(told.attributes, more) && span,
      end: () => void ended.push(told),
      isRecording: () => true,
    } as unknown as Span;
    for (const name of ["addEvent", "addLink", "addLinks", "setStatus", "updateName", "recordException"]) {
      Object.assign(span, { [name]: () => span });
    }
    return span;
  };
  const startActiveSpan = (name: string, ...rest: unknown[]) => {
    const work = rest.at(-1) as (span: Span) => unknown;
    const [options, from] = rest.slice(0, -1) as [{ attributes?: object }?, Context?];
    const span = startSpan(name, options, from ?? context.active());
    return context.with(trace.setSpan(from ?? context.active(), span), work, undefined, span);
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) as never });
}

register();
const service = await openService({ config: { uploadWaitMs: 20_000 } });
const agent = await connectAgent(service);

afterAll(async () => {
  trace.disable();
  context.disable();
  propagation.disable();
});

const find = (name: string) => ended.find((span) => span.name === name);

/** The names of a span and of those above it. */
function pathOf(span: Told | undefined): string[] {
  return span === undefined ? [] : [span.name, ...pathOf(ended.find(({ id }) => id === span.parent))];
}

test("a request and the job that it rang for stand in one trace", async () => {
  expect((await agent.upload("figures.csv", "a,b\n1,2\n")).status).toBe(201);
  await expect.poll(() => pathOf(find("inspect-asset")), { timeout: 40_000 }).toHaveLength(2);
  expect(pathOf(find("inspect-asset"))).toEqual(["inspect-asset", "POST /api/v1/assets"]);
  expect(find("POST /api/v1/assets")?.attributes).toMatchObject({
    "http.route": "/api/v1/assets",
    "http.response.status_code": 201,
  });
});

test("a balancer's question has no span", async () => {
  for (const url of ["/healthz", "/readyz"]) await request(service, { method: "GET", url });
  expect(ended.filter(({ name }) => name.endsWith("z"))).toEqual([]);
});

test("no span tells an address with a secret, and a caller's own trace is not believed", async () => {
  const secret = "a-secret-nobody-may-read-1234567890abcdefgh";
  const headers = { traceparent: `00-${"2".repeat(32)}-${"3".repeat(16)}-01` };
  await request(service, { method: "GET", url: `/sign-in/${secret}`, headers });
  expect(find("GET /sign-in/:secret")?.parent).toBeNull();
  expect(JSON.stringify(ended)).not.toContain(secret);
});

test("statements stand under their request or job, by the function that writes them, without text or values", async () => {
  const statements = ended.filter(({ attributes }) => attributes["db.system.name"] === "postgresql");
  expect(statements.length).toBeGreaterThan(10);
  expect(statements.filter(({ parent }) => parent === null)).toEqual([]);
  expect(statements.map((span) => pathOf(span).join(" < "))).toContain("insertAsset < POST /api/v1/assets");
  expect(statements.map((span) => pathOf(span)[1])).toContain("inspect-asset");
  const functions = new Set(listFunctions());
  for (const { name, attributes } of statements) {
    expect(attributes).toEqual({ "db.system.name": "postgresql", "db.query.summary": name });
    expect([name, functions.has(name) || /^[A-Z]+$/.test(name)]).toEqual([name, true]);
  }
  const named = statements.filter(({ name }) => functions.has(name));
  expect(named.length).toBeGreaterThan(statements.length / 2);
});

/** The functions of sql/ by name. */
function listFunctions(): string[] {
  const folder = join(import.meta.dirname, "..", "..", "..", "..", "sql");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
  return texts.flatMap((text) => [...text.matchAll(/\bfunction (\w+)/g)].map(([, name = ""]) => name));
}

test("statements that nobody's request or job asks for have no span", async () => {
  const listOwnersAlone = () => service.deps.pool.any(sql.type(z.unknown())`SELECT id FROM owners`);
  await listOwnersAlone();
  expect(find("listOwnersAlone")).toBeUndefined();
  await insideSpan(startRequestSpan("GET", "/planted"), listOwnersAlone);
  expect(find("listOwnersAlone")).toBeDefined();
});
