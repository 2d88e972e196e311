import { describe, expect, test } from "vitest";
import { countCodePoints } from "../../../shared/ground/text.ts";
import { parseProfilePatch } from "../../../shared/requests/parse-profile.ts";
import { parseScheduleRequest } from "../../../shared/requests/parse-publishing.ts";
import { trimBlanks } from "../../../shared/requests/text-fields.ts";
import { readCorpus } from "../text/markdown/read-corpus.ts";
import { LEAST, parseCreateRequest } from "./samples.ts";

interface ValueCase {
  value: unknown;
  expect: "accept" | "reject" | "unclear";
}
interface Values {
  publish_at: ValueCase[];
  source_url: ValueCase[];
  design_colors: ValueCase[];
  design_seed: ValueCase[];
  section_slug: ValueCase[];
}

/** What we do where the corpus leaves it open. */
const DECIDED: ReadonlyMap<unknown, "accept" | "reject"> = new Map([
  ["https://example.org/foobar®.txt", "accept"],
  ['https://example.org/foobar".txt', "accept"],
  ["https://example.org/foobar{}.txt", "accept"],
  ["https://example.org/foobar^.txt", "accept"],
  ["https://example.org/foobar`.txt", "accept"],
  ["https://example.org/foobar|.txt", "accept"],
  ["https://[2001:db8::1]/", "accept"],
  ["https://169.254.169.254/latest/meta-data/", "reject"],
  ["https://@example.com", "reject"],
  [" https://example.com", "accept"],
  ["https://example.com/a b", "reject"],
  ["https://-bad-.example/", "accept"],
  ["https://example..com/", "reject"],
  ["https://.", "reject"],
  ["-a", "accept"],
]);

const values = readCorpus<Values>("values.json");
const naughty = readCorpus<{ strings: string[]; own: string[] }>("naughty-strings.json");

describe.skipIf(values === null)("single values", () => {
  const story = (members: object) => ({ type: "story", payload: { ...LEAST.story, ...members } });
  const design = { colors: ["#112233", "#445566"], pattern: "grid" };

  test.each(values?.source_url ?? [])("source url $value: $expect", ({ value, ...given }) => {
    const outcome = parseCreateRequest(story({ sources: [{ title: "S", url: value }] }));
    const expected = given.expect === "unclear" ? DECIDED.get(value) : given.expect;
    expect(outcome.ok ? "accept" : "reject").toBe(expected);
    if (!outcome.ok) expect(Object.keys(outcome.errors)).toEqual(["payload.sources.0.url"]);
  });

  const nowMs = Date.parse("2026-11-20T09:00:00Z");
  const UNIT_MS = { "": 1_000, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  const fill = (value: unknown) =>
    typeof value !== "string"
      ? value
      : value
          .replace("{DATE}", "2026-11-30")
          .replace(/\{NOW([+-]\d+)([smhd]?)\}/g, (_, count: string, unit: keyof typeof UNIT_MS) =>
            new Date(nowMs + Number(count) * UNIT_MS[unit]).toISOString().replace(".000", ""),
          );
  const moments = (values?.publish_at ?? []).filter(({ expect: expected }) => expected !== "unclear");

  test.each(moments)("publish_at $value: $expect", ({ value, expect: expected }) => {
    const outcome = parseScheduleRequest({ publish_at: fill(value) }, { nowMs, days: 365 });
    expect([fill(value), outcome.ok ? "accept" : "reject"]).toEqual([fill(value), expected]);
    if (!outcome.ok) expect(Object.keys(outcome.errors)).toEqual(["publish_at"]);
  });

  test.each(values?.design_colors ?? [])("colours $value: $expect", ({ value, expect: expected }) => {
    const outcome = parseCreateRequest(story({ design: { ...design, colors: value } }));
    expect(outcome.ok ? "accept" : "reject").toBe(expected);
  });

  test.each(values?.design_seed ?? [])("seed $value: $expect", ({ value, expect: expected }) => {
    const outcome = parseCreateRequest(story({ design: { ...design, seed: value } }));
    expect(outcome.ok ? "accept" : "reject").toBe(expected);
  });

  test.each(values?.section_slug ?? [])("section slug $value: $expect", ({ value, ...given }) => {
    const outcome = parseProfilePatch({ sections: [{ slug: value, name: "N" }] });
    expect(outcome.ok ? "accept" : "reject").toBe(
      given.expect === "unclear" ? DECIDED.get(value) : given.expect,
    );
  });
});

describe.skipIf(naughty === null)("strings that break text fields", () => {
  const strings = [...(naughty?.strings ?? []), ...(naughty?.own ?? [])];

  test.each(strings)(
    "%j comes back as it is, but for blanks at its ends, or is refused on its field",
    (text) => {
      const sent = {
        title: text,
        summary: text,
        sources: [{ title: text, url: "https://example.org", note: text }],
      };
      const outcome = parseCreateRequest({ type: "story", payload: { ...LEAST.story, ...sent } });
      const kept = trimBlanks(text) || null;
      if (outcome.ok) {
        expect(outcome.value.payload).toMatchObject({
          title: kept,
          summary: kept,
          sources: [{ title: kept, note: kept }],
        });
      } else {
        for (const field of Object.keys(outcome.errors))
          expect(field).toMatch(/^payload\.(title|summary|sources\.0\.(title|note))$/);
      }
    },
  );

  test.each(strings)("%j as Markdown comes back unchanged or is refused on its field", (text) => {
    const outcome = parseCreateRequest({ type: "brief", payload: { body_markdown: text } });
    if (outcome.ok) expect(outcome.value.payload).toEqual({ body_markdown: text, sources: [] });
    else expect(Object.keys(outcome.errors)).toEqual(["payload.body_markdown"]);
  });

  test.each(strings)("%j as a name of a profile comes back trimmed or is refused", (text) => {
    const outcome = parseProfilePatch({ display_name: text, sections: [{ slug: "a", name: text }] });
    if (outcome.ok) {
      expect(countCodePoints(outcome.value.display_name ?? "")).toBeGreaterThan(0);
      expect(outcome.value.display_name).toBe(trimBlanks(text));
    } else
      expect(
        Object.keys(outcome.errors).every((field) => /^(display_name|sections\.0\.name)$/.test(field)),
      ).toBe(true);
  });
});
