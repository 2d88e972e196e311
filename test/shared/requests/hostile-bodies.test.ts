import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { parseKeysRequest } from "../../../shared/requests/agent-keys.ts";
import type { Outcome } from "../../../shared/requests/explain.ts";
import { parseAppendRequest } from "../../../shared/requests/parse-append.ts";
import { parseProfilePatch } from "../../../shared/requests/parse-profile.ts";
import {
  parseProfilePublishRequest,
  parsePublishRequest,
  parseRestoreRequest,
  parseScheduleRequest,
  parseVisibilityRequest,
} from "../../../shared/requests/parse-publishing.ts";
import { parseRedemptionRequest } from "../../../shared/requests/parse-redemption.ts";
import { readBody } from "../../../shared/requests/read-body.ts";
import * as small from "../../../shared/requests/small-requests.ts";
import { runs } from "../../support/depth.ts";
import { GROWTH_BOUND_MS, leastCpuMs } from "../../support/growth.ts";
import { wildBody } from "../../support/wild-bodies.ts";
import { LEAST, parseCreateRequest, parseUpdateRequest } from "./samples.ts";

const NOW_MS = Date.UTC(2026, 0, 1);

const SMALL = Object.values(small).filter((one) => one instanceof z.ZodObject);

const PARSERS: ((body: unknown) => Outcome<unknown>)[] = [
  parseKeysRequest,
  parsePublishRequest,
  parseVisibilityRequest,
  parseRestoreRequest,
  parseProfilePublishRequest,
  ...SMALL.map((schema) => (body: unknown) => readBody(schema, body)),
  (body) => parseScheduleRequest(body, { nowMs: NOW_MS, days: 90 }),
  (body) => parseAppendRequest(body, false),
  (body) => parseRedemptionRequest(body, undefined),
];

test("any JSON is read or refused with sentences of our own, never thrown at", () => {
  fc.assert(
    fc.property(wildBody, fc.constantFrom(...CREATION_TYPES), (body, type) => {
      for (const outcome of [
        parseCreateRequest(body),
        parseCreateRequest({ type, payload: body }),
        parseUpdateRequest({ payload: { ...LEAST[type], ...(body as object) } }, { type, slug: "a" }),
        parseProfilePatch(body),
        ...PARSERS.map((parse) => parse(body)),
      ]) {
        if (outcome.ok) continue;
        const sentences = Object.values(outcome.errors).flat();
        expect(sentences.length).toBeGreaterThan(0);
        for (const sentence of sentences) {
          expect(sentence).toMatch(/^[A-Z].*[.?]$/s);
          expect(sentence).not.toMatch(/invalid input|expected|received|unrecognized|undefined|NaN/i);
        }
      }
    }),
    { numRuns: runs(2000) },
  );
});

test("every member of a small request is refused by its name, whatever it is", () => {
  expect(SMALL.length).toBeGreaterThan(6);
  for (const schema of SMALL) {
    for (const name of Object.keys(schema.shape)) {
      for (const value of [-1, "\0", true, [[]], { a: [] }]) {
        const outcome = readBody(schema, { [name]: value });
        const said = outcome.ok ? [] : (outcome.errors[name] ?? []);
        for (const sentence of said) expect(sentence).toMatch(new RegExp(`^(?:The|Item 1 of) ${name}\\b`));
      }
    }
  }
});

test("__proto__ in a body is an unknown member and changes nothing", () => {
  const body = JSON.parse(
    '{"type":"story","__proto__":{"slug":"x"},"payload":{"__proto__":{"title":"x"},"body_markdown":"b"}}',
  );
  const outcome = parseCreateRequest(body);
  const errors = outcome.ok ? {} : outcome.errors;
  expect(Object.keys(errors).sort()).toEqual(["__proto__", "payload.__proto__", "payload.title"]);
});

test("members that no request has are refused in a short answer, each with the one that was meant", () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`m${index}`, 1]));
  for (const parse of [...PARSERS, parseProfilePatch, parseCreateRequest]) {
    for (const body of [many, { ["k".repeat(1_000_000)]: 1 }]) {
      const outcome = parse(body);
      expect(outcome.ok).toBe(false);
      expect(JSON.stringify(outcome).length).toBeLessThan(10_000);
    }
  }
  const outcome = parsePublishRequest({ visiblity: "public", revison_id: null });
  expect(outcome.ok || outcome.errors.visiblity).toEqual([
    "This member is not known here. Did you mean visibility for visiblity, revision_id for revison_id? The allowed members are revision_id, visibility.",
  ]);
});

test("huge bodies are refused in little time with a short answer", () => {
  const members = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`m${index}`, 1]));
  const bodies = [
    { ...members, type: "story", payload: members },
    { type: "story", payload: { ...LEAST.story, sources: Array(200_000).fill({ title: 1 }) } },
    { type: "story", payload: { ...LEAST.story, title: `a${" ".repeat(1_000_000)}a` } },
    { type: "story", payload: { ...LEAST.story, body_markdown: "<b>\n\n".repeat(200_000) } },
    { type: "story", payload: { ...LEAST.story, ["k".repeat(1_000_000)]: 1 } },
    { type: "story", payload: { ...LEAST.story, title: JSON.parse("[".repeat(5000) + "]".repeat(5000)) } },
  ];
  for (const body of bodies) {
    const outcome = parseCreateRequest(body);
    expect(outcome.ok).toBe(false);
    expect(JSON.stringify(outcome).length).toBeLessThan(20_000);
    expect(leastCpuMs(() => void parseCreateRequest(body))).toBeLessThan(GROWTH_BOUND_MS);
  }
});
