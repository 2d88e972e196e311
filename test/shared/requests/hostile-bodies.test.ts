import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { readBody } from "../../../shared/requests/read-body.ts";
import * as small from "../../../shared/requests/small-requests.ts";
import { findFaults, READERS } from "../../api/openapi/body-readers.ts";
import { runs } from "../../support/depth.ts";
import { GROWTH_BOUND_MS, leastCpuMs } from "../../support/growth.ts";
import { wildBody } from "../../support/wild-bodies.ts";
import { LEAST, parseCreateRequest } from "./samples.ts";

const SMALL = Object.values(small).filter((one) => one instanceof z.ZodObject);

test("what reads a body of any route takes any JSON, or refuses it with sentences of our own", async () => {
  const routes = fc.constantFrom(...READERS.keys());
  await fc.assert(
    fc.asyncProperty(routes, wildBody, fc.constantFrom(...CREATION_TYPES), async (route, wild, type) => {
      const bodies = route.includes("/creations")
        ? [wild, { type, payload: wild }, { payload: { ...LEAST[type], ...(wild as object) } }]
        : [wild];
      for (const body of bodies) {
        const faults = await findFaults(route, body);
        if (faults === null) continue;
        const sentences = Object.values(faults).flat();
        expect(sentences.length).toBeGreaterThan(0);
        for (const sentence of sentences) {
          expect(sentence).toMatch(/^[A-Z].*[.?]$/s);
          expect(sentence).not.toMatch(/invalid input|expected|received|unrecognized|undefined|NaN/i);
        }
      }
    }),
    { numRuns: runs(40_000) },
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

test("members that no request has are refused in a short answer, each with the one that was meant", async () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`m${index}`, 1]));
  for (const route of READERS.keys())
    for (const body of [many, { ["k".repeat(1_000_000)]: 1 }]) {
      const faults = await findFaults(route, body);
      expect(faults, route).not.toBeNull();
      expect(JSON.stringify(faults).length, route).toBeLessThan(10_000);
    }
  const publish = "POST /api/v1/creations/:creation/publish";
  expect(await findFaults(publish, { visiblity: "public", revison_id: null })).toMatchObject({
    visiblity: [
      "This member is not known here. Did you mean visibility for visiblity, revision_id for revison_id? The allowed members are revision_id, visibility.",
    ],
  });
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
