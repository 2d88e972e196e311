/** The creation types in the order of the specification. */
export const CREATION_TYPES = [
  "story",
  "dataset",
  "collection",
  "external_project",
  "brief",
  "file",
] as const;
export type CreationType = (typeof CREATION_TYPES)[number];

/** The names of types before they were renamed, with the names in force. */
export const FORMER_TYPES: ReadonlyMap<unknown, CreationType> = new Map([
  ["article", "story"],
  ["status", "brief"],
]);
