import { describe, expect, it, vi } from "vitest";
import type { z } from "zod";
import { buildOpenApi } from "../../../api/openapi/document.ts";
import {
  CheckCreationRequest,
  CheckProfileRequest,
  UploadBytes,
  UploadForm,
  UploadRequest,
} from "../../../api/openapi/schemas.ts";
import { loadConfig } from "../../../shared/platform/config.ts";
import { KeysRequest } from "../../../shared/requests/agent-keys.ts";
import { schemasFor } from "../../../shared/requests/schemas.ts";
import {
  CreateUploadRequest,
  PreviewRequest,
  ReinstateRequest,
  RetractRequest,
  RevokeCredentialsRequest,
  WatchQuestionRequest,
} from "../../../shared/requests/small-requests.ts";
import { findFaults, READERS } from "./body-readers.ts";
import { listRoutes } from "./open-document.ts";

/** What uploads take: their own reader takes it apart. */
const FILES = new Set<z.ZodType>([UploadRequest, UploadForm, UploadBytes]);

const { payloads, envelope, changes: _, ...bodies } = schemasFor();
/** What a check takes holds the bodies of its calls. */
const CALLS = new Map<z.ZodType, z.ZodType>([
  [CheckProfileRequest, bodies.profile],
  [CheckCreationRequest, bodies.update],
]);

const listed = await listRoutes();
const documented = listed.flatMap(({ method, url, body }): [string, z.ZodType][] =>
  body === undefined || FILES.has(body) ? [] : [[`${method} ${url}`, body]],
);

describe("one schema a body", () => {
  it("holds for every route that takes JSON: its schema is one that bodies are read with", () => {
    expect(documented.map(([route]) => route).sort()).toEqual([...READERS.keys()].sort());
    const known = new Set<z.ZodType>([
      ...[...Object.values(bodies), ...CALLS.keys()],
      KeysRequest,
      CreateUploadRequest,
      PreviewRequest,
      ReinstateRequest,
      RetractRequest,
      RevokeCredentialsRequest,
      WatchQuestionRequest,
    ]);
    expect(documented.filter(([, schema]) => !known.has(schema))).toEqual([]);
  });

  it("a route reads its body by the very schema that the document shows", async () => {
    for (const [route, shown] of documented) {
      const schema = CALLS.get(shown) ?? shown;
      // A creation is read in parts, as members may stand beside its payload or inside it.
      const isCreation = schema === bodies.create || schema === bodies.update;
      const parts: z.ZodType[] = isCreation ? [payloads.story, envelope] : [schema];
      const spies = parts.map((part) => vi.spyOn(part, "safeParse"));
      expect(await findFaults(route, { type: "story", payload: {}, revision_id: 1 })).not.toBeNull();
      // A refused profile is read once more, without the members at fault.
      const times = schema === bodies.profile ? 2 : 1;
      expect([route, spies.map((spy) => spy.mock.calls.length)]).toEqual([route, parts.map(() => times)]);
      vi.restoreAllMocks();
    }
  });

  it("a check takes what its calls take, an action and a version beside it", () => {
    const { publish, schedule, restore, profile, update } = bodies;
    const calls = [...update.options, publish, schedule, restore, profile];
    const checks = [...CheckCreationRequest.options, CheckProfileRequest];
    const withoutOwn = ({ shape }: z.ZodObject) => {
      const { action: _, lock_version: __, ...members } = shape;
      return members;
    };
    const taken: Record<string, z.ZodType>[] = checks.map(withoutOwn);
    expect(taken.map((shape) => Object.keys(shape))).toEqual(calls.map(({ shape }) => Object.keys(shape)));
    for (const [at, { shape }] of calls.entries())
      for (const [name, field] of Object.entries<z.ZodType>(shape)) expect(taken[at]?.[name]).toBe(field);
  });

  it("the parts by which a creation is read are those of its schema", () => {
    expect(bodies.create.options).toHaveLength(Object.keys(payloads).length);
    const shapes = [...bodies.create.options, ...bodies.update.options].map(
      (form): Record<string, z.ZodType> => form.shape,
    );
    const others = Object.entries(envelope.shape).filter(([name]) => !["slug", "section"].includes(name));
    for (const shape of shapes) {
      const saving = Object.keys(shape).filter((name) => !["type", "payload", "changes"].includes(name));
      expect(saving.toSorted()).toEqual(Object.keys(envelope.shape).toSorted());
      for (const [name, field] of others) expect(shape[name]).toBe(field);
    }
    for (const { shape } of bodies.create.options) expect(shape.payload).toBe(payloads[shape.type.value]);
    // An update tells other things of its slug and section, and takes the same ones.
    const [, ...updates] = [...bodies.update.options].toReversed();
    expect(updates.toReversed().map((form) => (form.shape as Record<string, z.ZodType>).payload)).toEqual(
      Object.values(payloads),
    );
    expect(shapes.at(-1)?.changes).toBeDefined();
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
