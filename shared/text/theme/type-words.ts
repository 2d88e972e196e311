import type { CreationType } from "../../ground/creation-types.ts";

/** The readers' word for each kind of creation. */
export const TYPE_WORDS = {
  story: "Story",
  dataset: "Data",
  brief: "Brief",
  file: "Files",
  collection: "Collection",
  external_project: "Project",
} as const satisfies Record<CreationType, string>;

/** The word for many of a kind. */
export const TYPE_PLURALS: Record<CreationType, string> = {
  story: "Stories",
  dataset: "Data",
  brief: "Briefs",
  file: "Files",
  collection: "Collections",
  external_project: "Projects",
};
