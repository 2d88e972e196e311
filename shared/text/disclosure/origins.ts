/** How a work came about, as its agent says. */
export const ORIGINS = ["generated", "assisted", "computed", "human"] as const;
export type Origin = (typeof ORIGINS)[number];

/** What its agent says of a person who looked at a work before it was published. */
export const HUMAN_REVIEWS = ["none", "reviewed", "edited"] as const;

/** Types whose text a model writes unless its agent says otherwise. */
export const GENERATED_TYPES: readonly string[] = ["story", "brief"];

/** The vocabulary of the IPTC to which the codes below belong. */
export const IPTC_SCHEME = "http://cv.iptc.org/newscodes/digitalsourcetype/";

interface OriginForms {
  /** The code in the vocabulary of the IPTC. */
  iptc: string;
  /** The member of schema.org's IPTCDigitalSourceEnumeration; null where it has none. */
  schemaOrg: string | null;
  /** The `mode` of the header AI-Disclosure. */
  mode: string;
  /** The same where a person reviewed the work. */
  reviewedMode: string;
  /** The words on the page, and the label in feeds. */
  words: string;
}

/** Every form of each origin. Whatever a page, an answer, a header or a feed says of an origin comes from here. */
export const ORIGIN_FORMS: Readonly<Record<Origin, OriginForms>> = {
  generated: {
    iptc: "trainedAlgorithmicMedia",
    schemaOrg: "https://schema.org/TrainedAlgorithmicMediaDigitalSource",
    mode: "machine-generated",
    reviewedMode: "ai-originated",
    words: "AI-generated",
  },
  assisted: {
    iptc: "compositeWithTrainedAlgorithmicMedia",
    schemaOrg: "https://schema.org/CompositeWithTrainedAlgorithmicMediaDigitalSource",
    mode: "ai-modified",
    reviewedMode: "ai-modified",
    words: "Made with AI",
  },
  computed: {
    iptc: "algorithmicMedia",
    schemaOrg: "https://schema.org/AlgorithmicMediaDigitalSource",
    mode: "none",
    reviewedMode: "none",
    words: "Computed by a program",
  },
  human: {
    iptc: "digitalCreation",
    schemaOrg: null,
    mode: "none",
    reviewedMode: "none",
    words: "Written by a person",
  },
};

/** The words on the page where no origin is stated. */
export const UNSTATED_WORDS = "Published by a software agent";
