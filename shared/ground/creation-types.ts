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

/** The sentence that names the type that a former name means, with a space before it; empty for every other value. */
export function sayRenamed(given: unknown): string {
  const now = FORMER_TYPES.get(given);
  return now === undefined ? "" : ` The type ${given} is now called ${now}.`;
}
