/** The readers' word for each kind of creation. */
export const TYPE_WORDS = {
  story: "Story",
  dataset: "Data",
  brief: "Brief",
  file: "Files",
  collection: "Collection",
  external_project: "Project",
} as const;

/** The six kinds of creation. */
export type CreationType = keyof typeof TYPE_WORDS;
