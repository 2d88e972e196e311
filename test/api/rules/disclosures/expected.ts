import type { Json } from "../../../support/agent.ts";

/** The types of works, and what each states where its agent names no origin. */
export const TYPES: Readonly<Record<string, string | null>> = {
  story: "generated",
  brief: "generated",
  dataset: null,
  file: null,
  collection: null,
  external_project: null,
};

export const ORIGINS = [null, "generated", "assisted", "computed", "human"] as const;

export const REVIEWS = ["none", "declared", "owner"] as const;

const MODES: Readonly<Record<string, [string, string]>> = {
  generated: ["machine-generated", "ai-originated"],
  assisted: ["ai-modified", "ai-modified"],
  computed: ["none", "none"],
  human: ["none", "none"],
};
const CODES: Readonly<Record<string, string>> = {
  generated: "trainedAlgorithmicMedia",
  assisted: "compositeWithTrainedAlgorithmicMedia",
  computed: "algorithmicMedia",
  human: "digitalCreation",
};
const WORDS: Readonly<Record<string, string>> = {
  generated: "AI-generated",
  assisted: "Made with AI",
  computed: "Computed by a program",
  human: "Written by a person",
};
const SCHEMA_ORG: Readonly<Record<string, string>> = {
  generated: "https://schema.org/TrainedAlgorithmicMediaDigitalSource",
  assisted: "https://schema.org/CompositeWithTrainedAlgorithmicMediaDigitalSource",
  computed: "https://schema.org/AlgorithmicMediaDigitalSource",
};
const SCHEME = "http://cv.iptc.org/newscodes/digitalsourcetype/";

/** One work of the cross product. */
export interface Sample {
  type: string;
  origin: (typeof ORIGINS)[number];
  review: (typeof REVIEWS)[number];
}

export const SAMPLES: readonly Sample[] = Object.keys(TYPES).flatMap((type) =>
  ORIGINS.flatMap((origin) => REVIEWS.map((review) => ({ type, origin, review }))),
);

export const REVIEWED_AT = "2026-11-21T10:00:00Z";
export const MODELS = [
  { name: "grand modèle", version: "2026-09", provider: 'The "Example" company' },
  { name: "m-small", version: null, provider: null },
];

/** What the agent of a sample said, as the database keeps it. */
export function saidOf({ origin, review }: Sample): Json {
  const human_review = review === "declared" ? "reviewed" : "none";
  return { origin, models: MODELS, tools: [], prompt_sha256: null, human_review, note: null };
}

/** What every form of a sample has to say, by the tables of the documentation. */
export function expectedOf(sample: Sample) {
  const { type, origin, review } = sample;
  const shown = origin ?? TYPES[type] ?? null;
  const [mode, reviewed] = MODES[shown ?? ""] ?? [null, null];
  return {
    json: {
      ...saidOf(sample),
      origin: shown,
      declared: origin !== null,
      owner_reviewed_at: review === "owner" ? REVIEWED_AT : null,
      digital_source_type: shown && `${SCHEME}${CODES[shown]}`,
    },
    header:
      shown === null
        ? null
        : {
            mode: review === "none" ? mode : reviewed,
            model: "grand modèle",
            provider: 'The "Example" company',
          },
    jsonLd: SCHEMA_ORG[shown ?? ""] ?? null,
    category: shown && { scheme: SCHEME, term: CODES[shown], label: WORDS[shown] },
    words: WORDS[shown ?? ""] ?? "Published by a software agent",
  };
}
