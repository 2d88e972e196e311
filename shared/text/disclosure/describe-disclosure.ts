import { z } from "zod";
import { sha256, toCanonicalJson } from "../../ground/checksum.ts";
import {
  GENERATED_TYPES,
  HUMAN_REVIEWS,
  IPTC_SCHEME,
  ORIGIN_FORMS,
  ORIGINS,
  type Origin,
  UNSTATED_WORDS,
} from "./origins.ts";

/** Characters that a String of RFC 9651 holds. */
const PRINTED = { from: 0x20, to: 0x7e };

/** A Dictionary of RFC 9651 with one token and texts, as a header carries it; a null text is left out. */
function writeDictionary(mode: string, texts: Readonly<Record<string, string | null>>): string {
  const members = Object.entries(texts).flatMap(([name, text]) =>
    text === null ? [] : [`${name}=${writeText(text)}`],
  );
  return [`mode=${mode}`, ...members].join(", ");
}

/** A String, or a Display String where a character is not ASCII. */
function writeText(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  if (bytes.every(isPrinted)) return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  return `%"${bytes.map(writeByte).join("")}"`;
}

function writeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  const isPlain = isPrinted(byte) && character !== "%" && character !== '"';
  return isPlain ? character : `%${byte.toString(16).padStart(2, "0")}`;
}

function isPrinted(byte: number): boolean {
  return byte >= PRINTED.from && byte <= PRINTED.to;
}

/** A program that made a work. */
const NamedProgram = z.strictObject({ name: z.string(), version: z.string().nullable() });

/** What an agent said of how a revision was made, as it is kept; `origin` is null where it named none. */
export const SaidDisclosure = z.strictObject({
  origin: z.enum(ORIGINS).nullable(),
  models: z.array(NamedProgram.extend({ provider: z.string().nullable() })),
  tools: z.array(NamedProgram),
  prompt_sha256: z.string().nullable(),
  human_review: z.enum(HUMAN_REVIEWS),
  note: z.string().nullable(),
});
export type SaidDisclosure = z.infer<typeof SaidDisclosure>;

/** The SHA-256 of what was said, in canonical JSON; null where nothing was. */
export function hashDisclosure(said: SaidDisclosure | null): string | null {
  return said && sha256(toCanonicalJson(said));
}

/** What is known of how a revision was made. */
export interface DisclosureFacts {
  /** The type of the work. */
  type: string;
  /** Null where its agent said nothing. */
  said: SaidDisclosure | null;
  /** When its owner confirmed to have read it, in ISO 8601; null where nobody has. */
  ownerReviewedAt: string | null;
}

/** A line of the list under How this was made. */
export interface DisclosureDetail {
  label: string;
  values: string[];
  /** Whether the values are digits of a hash. */
  isHash?: true;
}

/** What every form of one revision says of how it was made. */
export type DisclosureForms = ReturnType<typeof describeDisclosure>;

/** What an agent says that leaves everything out. */
export const NOTHING_SAID: SaidDisclosure = {
  origin: null,
  models: [],
  tools: [],
  prompt_sha256: null,
  human_review: "none",
  note: null,
};

/** All forms of what is known of how a revision was made: for answers, pages, headers, feeds and search engines. */
export function describeDisclosure({ type, said, ownerReviewedAt }: DisclosureFacts) {
  const all = said ?? NOTHING_SAID;
  const origin = originOf(type, all);
  const forms = origin && ORIGIN_FORMS[origin];
  return {
    /** The member `disclosure` of answers. */
    json: {
      origin,
      declared: all.origin !== null,
      models: all.models,
      tools: all.tools,
      prompt_sha256: all.prompt_sha256,
      human_review: all.human_review,
      note: all.note,
      owner_reviewed_at: ownerReviewedAt,
      digital_source_type: forms && `${IPTC_SCHEME}${forms.iptc}`,
    },
    /** The member of schema.org's IPTCDigitalSourceEnumeration; null for none. */
    digitalSourceType: forms?.schemaOrg ?? null,
    /** The value of the header AI-Disclosure; null for none. */
    header: writeDisclosureHeader({ type, said, isOwnerReviewed: ownerReviewedAt !== null }),
    /** The category of an entry of a feed; null for none. */
    category: forms && { scheme: IPTC_SCHEME, term: forms.iptc, label: forms.words },
    /** The words beside the byline. */
    words: forms?.words ?? UNSTATED_WORDS,
    /** What the list under How this was made holds; empty where the agent said nothing. */
    details: said === null ? [] : listDetails(origin, all),
  };
}

/** The value of the header AI-Disclosure: its mode, and the first model; null where no origin is stated. */
export function writeDisclosureHeader(
  facts: Pick<DisclosureFacts, "type" | "said"> & { isOwnerReviewed: boolean },
): string | null {
  const said = facts.said ?? NOTHING_SAID;
  const origin = originOf(facts.type, said);
  if (origin === null) return null;
  const { mode, reviewedMode } = ORIGIN_FORMS[origin];
  const isReviewed = facts.isOwnerReviewed || said.human_review !== "none";
  const [model] = said.models;
  const named = { model: model?.name ?? null, provider: model?.provider ?? null };
  return writeDictionary(isReviewed ? reviewedMode : mode, named);
}

/** The origin that a work's forms show: what its agent said, or the default of its type. */
function originOf(type: string, { origin }: SaidDisclosure): Origin | null {
  return origin ?? (GENERATED_TYPES.includes(type) ? "generated" : null);
}

const REVIEW_WORDS = {
  none: null,
  reviewed: "Reviewed by a person, as its agent says",
  edited: "Edited by a person, as its agent says",
} as const;

function listDetails(origin: Origin | null, said: SaidDisclosure): DisclosureDetail[] {
  const { models, tools, prompt_sha256: prompt, human_review: review, note } = said;
  const details = [
    { label: "Origin", values: [describeOrigin(origin, said)] },
    { label: models.length === 1 ? "Model" : "Models", values: models.map(nameModel) },
    { label: tools.length === 1 ? "Tool" : "Tools", values: tools.map(nameProgram) },
    { label: "Review", values: [REVIEW_WORDS[review]] },
    { label: "Note of its agent", values: [note] },
    { label: "Prompt (SHA-256)", values: [prompt], isHash: true as const },
  ];
  return details
    .map(({ values, ...detail }) => ({ ...detail, values: values.filter((value) => value !== null) }))
    .filter(({ values }) => values.length > 0);
}

/** A default is never shown as what an agent said. */
function describeOrigin(origin: Origin | null, said: SaidDisclosure): string | null {
  if (origin === null) return null;
  const { words } = ORIGIN_FORMS[origin];
  return said.origin === null
    ? `${words}, by default: its agent states no origin`
    : `${words}, as its agent says`;
}

function nameProgram({ name, version }: z.infer<typeof NamedProgram>): string {
  return version === null ? name : `${name} ${version}`;
}

function nameModel(model: SaidDisclosure["models"][number]): string {
  return model.provider === null ? nameProgram(model) : `${nameProgram(model)} (${model.provider})`;
}
