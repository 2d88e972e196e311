import fc from "fast-check";
import { type Item, parseDictionary, Token } from "structured-headers";
import { expect, test } from "vitest";
import {
  describeDisclosure,
  NOTHING_SAID,
  type SaidDisclosure,
} from "../../../../shared/text/disclosure/describe-disclosure.ts";
import { runs } from "../../../support/depth.ts";

const say = (members: Partial<SaidDisclosure>): SaidDisclosure => ({ ...NOTHING_SAID, ...members });
const of = (type: string, said: SaidDisclosure | null = null, ownerReviewedAt: string | null = null) =>
  describeDisclosure({ type, said, ownerReviewedAt });
const MODEL = { name: "m-large", version: "2026-09", provider: "Example" };

test.each(["story", "brief"])(
  "a %s is generated unless its agent says otherwise, and that is no statement",
  (type) => {
    const { json, header, words, details } = of(type);
    expect(json).toMatchObject({ origin: "generated", declared: false });
    expect([header, words]).toEqual(["mode=machine-generated", "AI-generated"]);
    expect(details).toEqual([]);
    expect(of(type, say({ note: "Drafted." })).details).toEqual([
      { label: "Origin", values: ["AI-generated, by default: its agent states no origin"] },
      { label: "Note of its agent", values: ["Drafted."] },
    ]);
    expect(of(type, say({ origin: "human" })).json).toMatchObject({ origin: "human", declared: true });
    expect(of(type, say({ models: [MODEL] })).json).toMatchObject({ origin: "generated", declared: false });
  },
);

test.each(["dataset", "file", "collection", "external_project"])("a %s states nothing by default", (type) => {
  expect(of(type)).toEqual({
    json: { ...NOTHING_SAID, declared: false, owner_reviewed_at: null, digital_source_type: null },
    digitalSourceType: null,
    header: null,
    category: null,
    words: "Published by a software agent",
    details: [],
  });
  expect(of(type, say({ models: [MODEL] }), "2026-11-20T09:00:00Z").header).toBeNull();
});

test("the list under How this was made has every member, each as its agent says it", () => {
  const said = say({
    origin: "assisted",
    models: [MODEL, { name: "m-small", version: null, provider: null }],
    tools: [{ name: "gauge-reader", version: "1.4" }],
    prompt_sha256: "a".repeat(64),
    human_review: "edited",
    note: "Drafted.",
  });
  expect(of("dataset", said).details).toEqual([
    { label: "Origin", values: ["Made with AI, as its agent says"] },
    { label: "Models", values: ["m-large 2026-09 (Example)", "m-small"] },
    { label: "Tool", values: ["gauge-reader 1.4"] },
    { label: "Review", values: ["Edited by a person, as its agent says"] },
    { label: "Note of its agent", values: ["Drafted."] },
    { label: "Prompt (SHA-256)", values: ["a".repeat(64)], isHash: true },
  ]);
});

test("the header names the first model, and a name outside of ASCII is a Display String", () => {
  const second = { name: "m-small", version: null, provider: null };
  const header = (name: string, provider: string | null = null) =>
    of("story", say({ models: [{ name, version: "1", provider }, second] })).header;
  expect(header("m-large", "Example")).toBe('mode=machine-generated, model="m-large", provider="Example"');
  expect(header('a "b" \\ c')).toBe('mode=machine-generated, model="a \\"b\\" \\\\ c"');
  expect(header('100 % "é"')).toBe('mode=machine-generated, model=%"100 %25 %22%c3%a9%22"');
});

test("another parser reads every name back", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 });
  const text = fc.oneof(name, fc.constantFrom("%", '"', "\\", "%41", "ü", "模型", "🌊", "a\u007fb"));
  const isSent = (given: string) => given.isWellFormed() && ![...given].some((one) => one < " ");
  const sent = text.filter(isSent);
  fc.assert(
    fc.property(sent, fc.option(sent), (model, provider) => {
      const { header } = of("brief", say({ models: [{ name: model, version: null, provider }] }));
      const read = parseDictionary(header ?? "");
      expect(read.get("mode")?.[0]).toEqual(new Token("machine-generated"));
      const said = (member: string) => (read.has(member) ? String((read.get(member) as Item)[0]) : null);
      expect([said("model"), said("provider")]).toEqual([model, provider]);
    }),
    { numRuns: runs(2_000) },
  );
});
