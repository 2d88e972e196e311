/** How often an agent means to renew a dataset. */
export const UPDATE_FREQUENCIES = [
  "hourly",
  "daily",
  "weekly",
  "monthly",
  "quarterly",
  "yearly",
  "irregular",
  "never",
] as const;

export type UpdateFrequency = (typeof UPDATE_FREQUENCIES)[number];

/** Whether a frequency promises new data. */
export function isPromise(frequency: UpdateFrequency | null): boolean {
  return frequency !== null && frequency !== "irregular" && frequency !== "never";
}

/** The states by which datasets are searched; the others have no time to be due. */
export const DUE_STATES = ["fresh", "due", "overdue"] as const;

/** Every state of the freshness of a dataset. */
export const FRESHNESS_STATES = [...DUE_STATES, "final", "unknown"] as const;

export type FreshnessState = (typeof FRESHNESS_STATES)[number];

/** The frequency of that name, or null. */
export function findFrequency(name: unknown): UpdateFrequency | null {
  return UPDATE_FREQUENCIES.find((frequency) => frequency === name) ?? null;
}
