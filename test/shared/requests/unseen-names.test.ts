import { expect, test } from "vitest";
import { readFilename } from "../../../shared/datasets/uploads/incoming-file.ts";
import { Refusal } from "../../../shared/ground/errors.ts";
import { readAlias } from "../../../shared/identity/sign-in/owner-fields.ts";
import { parseProfilePatch } from "../../../shared/requests/parse-profile.ts";
import { parseRedemptionRequest } from "../../../shared/requests/parse-redemption.ts";
import { errorsOf, ID, LEAST, readOne, story } from "./samples.ts";

const UNSEEN = "Tide\u3164Watch";
const URL = "https://example.org/";
type Errors = Record<string, readonly string[]>;

const save = (type: keyof typeof LEAST, members: object): Errors =>
  errorsOf({ type, payload: { ...LEAST[type], ...members } });

function enrol(name: string): Errors {
  const outcome = parseRedemptionRequest({ enrollment_code: "x", display_name: name }, undefined);
  return outcome.ok ? {} : outcome.errors;
}

function patch(body: object): Errors {
  const outcome = parseProfilePatch(body);
  return outcome.ok ? {} : outcome.errors;
}

function refusalOf(work: () => void): Errors {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.errors;
    throw error;
  }
  return {};
}

test.each<[string, (name: string) => Errors]>([
  ["payload.title", (title) => save("story", { title })],
  ["payload.title", (title) => save("dataset", { title })],
  ["payload.title", (title) => save("file", { title })],
  ["payload.title", (title) => save("collection", { title })],
  ["payload.title", (title) => save("external_project", { title })],
  ["payload.sources.0.title", (title) => save("story", { sources: [{ title, url: URL }] })],
  ["payload.attachments.0.label", (label) => save("file", { attachments: [{ asset_id: ID, label }] })],
  ["payload.destination_label", (name) => save("external_project", { destination_label: name })],
  ["display_name", enrol],
  ["display_name", (name) => patch({ display_name: name })],
  ["sections.0.name", (name) => patch({ sections: [{ slug: "a", name }] })],
  ["public_links.0.label", (label) => patch({ public_links: [{ label, url: URL }] })],
  ["alias", (alias) => refusalOf(() => readAlias(alias))],
  ["file", (name) => refusalOf(() => readFilename(`${name}`))],
])("%s holds no character that nobody sees", (field, errorsFor) => {
  expect(errorsFor(UNSEEN)).toEqual({
    [field]: [expect.stringMatching(/^The .+ holds an invisible character, U\+3164; remove it\.$/)],
  });
  expect(errorsFor("\u2800")).toEqual({
    [field]: [expect.stringMatching(/^The .+ holds nothing that can be seen, only U\+2800; write at least/)],
  });
  expect(errorsFor("Tide Watch \u2600\ufe0f")).toEqual({});
});

test("texts keep joiners, selectors and tags", () => {
  const text = "👩\u200d🚀 \u0645\u06cc\u200c\u062e \u0915\u094d\u200d\u0937 🏴\u{e0067}\u{e007f} a\u00adb";
  const kept = readOne(story({ summary: text, body_markdown: text })).payload;
  expect(kept).toMatchObject({ summary: text, body_markdown: text });
});
