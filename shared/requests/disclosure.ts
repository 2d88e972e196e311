import { z } from "zod";
import { findNearestName } from "../ground/nearest-name.ts";
import { NOTHING_SAID, type SaidDisclosure } from "../text/disclosure/describe-disclosure.ts";
import { HUMAN_REVIEWS, ORIGINS } from "../text/disclosure/origins.ts";
import { SHA256 } from "./figures.ts";
import { atMost, describeMember, membersOf } from "./members.ts";
import { isBlank, isRecord } from "./read-body.ts";
import { lineField, optionalLineField } from "./text-fields.ts";

const MOST_MODELS = 5;
const MOST_TOOLS = 10;
const NAME_CHARACTERS = 80;
const NOTE_CHARACTERS = 500;
const EXAMPLE = {
  origin: "generated",
  models: [{ name: "m-large", version: "2026-09", provider: "Example" }],
};

const TOOL = { name: "gauge-reader", version: "1.4" };

/** What an agent says of how a revision was made; blank and null members mean their default. */
export function disclosureField() {
  const disclosure = membersOf({
    origin: describeMember(
      wordOf(ORIGINS),
      "How the work came about: `generated` or `assisted` by a model, `computed` by a program without one, or by a `human`. Left out: generated for a story and a brief, else not stated.",
      "generated",
    ),
    ...programFields(),
    prompt_sha256: describeMember(
      z.string().regex(SHA256, { error: "must be a SHA-256, 64 digits from 0 to f" }).toLowerCase().nullish(),
      "The SHA-256 of the prompt, by which you can show later which one it was. Left out: not said.",
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    ),
    human_review: describeMember(
      wordOf(HUMAN_REVIEWS),
      "Whether a person `reviewed` or `edited` the work before. Left out: none.",
      "reviewed",
    ),
    note: describeMember(
      lineOrNull(NOTE_CHARACTERS),
      "What readers should know besides, on one line. Left out: nothing.",
      "The text was drafted by a model from the readings.",
    ),
  });
  return describeMember(
    disclosure.nullish(),
    "How the work was made, for readers and machines. It belongs to this revision. Left out: nothing is said of it.",
    EXAMPLE,
  );
}

/** What took part: models and other programs. */
function programFields() {
  const named = ({ name, version }: { name: string; version: string }) => ({
    name: describeMember(lineField(NAME_CHARACTERS), "Its name, on one line.", name),
    version: describeMember(lineOrNull(NAME_CHARACTERS), "Its version. Left out: not said.", version),
  });
  const model = membersOf({
    ...named({ name: "m-large", version: "2026-09" }),
    provider: describeMember(lineOrNull(NAME_CHARACTERS), "Who offers it. Left out: not said.", "Example"),
  });
  return {
    models: describeMember(
      z.array(model).check(atMost(MOST_MODELS)).nullish(),
      "The models that took part, the most important one first. Left out: none named.",
      EXAMPLE.models,
    ),
    tools: describeMember(
      z
        .array(membersOf(named(TOOL)))
        .check(atMost(MOST_TOOLS))
        .nullish(),
      "The programs that took part. Left out: none named.",
      [TOOL],
    ),
  };
}

function lineOrNull(characters: number) {
  return optionalLineField(characters).nullish();
}

function wordOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: ({ input }) => explainWord(input, words) }).nullish();
}

function explainWord(word: unknown, words: readonly string[]): string {
  const nearest = typeof word === "string" ? findNearestName(word, words) : null;
  return `must be one of ${words.join(", ")}${nearest === null ? "" : `; ${nearest} is the nearest`}`;
}

/** A sent disclosure without its blank words, which count as left out. */
export function withoutBlankWords(sent: unknown): unknown {
  if (!isRecord(sent)) return sent;
  const isKept = ([name, value]: [string, unknown]) => !(WORDS.has(name) && isBlank(value));
  return Object.fromEntries(Object.entries(sent).filter(isKept));
}

const WORDS: ReadonlySet<string> = new Set(["origin", "human_review", "prompt_sha256"]);

type Sent = z.output<ReturnType<typeof disclosureField>>;

/** What was said, as it is kept; null where nothing was. */
export function toSaidDisclosure(sent: Sent): SaidDisclosure | null {
  const { origin, models, tools, prompt_sha256, human_review, note } = sent ?? {};
  const said: SaidDisclosure = {
    origin: origin ?? null,
    models: (models ?? []).map(({ name, version, provider }) => ({
      name,
      version: version || null,
      provider: provider || null,
    })),
    tools: (tools ?? []).map(({ name, version }) => ({ name, version: version || null })),
    prompt_sha256: prompt_sha256 ?? null,
    human_review: human_review ?? "none",
    note: note || null,
  };
  return JSON.stringify(said) === JSON.stringify(NOTHING_SAID) ? null : said;
}
