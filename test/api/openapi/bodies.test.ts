import { describe, expect, it } from "vitest";
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
import { READERS } from "./body-readers.ts";
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
