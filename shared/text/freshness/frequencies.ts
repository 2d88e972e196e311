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

/** When a dataset is due and when it is overdue, in epoch milliseconds. */
export interface DueTimes {
  dueMs: number;
  overdueMs: number;
}

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** A period is a number of hours, or of months of the calendar; what has none is never due. */
const PERIODS: Record<UpdateFrequency, { hours: number } | { months: number } | null> = {
  hourly: { hours: 1 },
  daily: { hours: 24 },
  weekly: { hours: 7 * 24 },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  yearly: { months: 12 },
  irregular: null,
  never: null,
};

/** When data that were checked at a timestamp are due and overdue, to the second; null where they never are. */
export function findDueTimes(frequency: UpdateFrequency | null, checkedMs: number): DueTimes | null {
  const period = frequency === null ? null : PERIODS[frequency];
  if (period === null) return null;
  // Answers cut seconds, so that the state changes at the second that they name.
  const fromMs = Math.floor(checkedMs / SECOND_MS) * SECOND_MS;
  const after = (periods: number) =>
    "hours" in period
      ? fromMs + periods * period.hours * HOUR_MS
      : addMonths(fromMs, periods * period.months);
  return { dueMs: after(1), overdueMs: after(2) };
}

/** The same time of day some months later; a day that the month lacks is its last. */
function addMonths(fromMs: number, months: number): number {
  const from = new Date(fromMs);
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay);
  const midnightMs = Date.UTC(from.getUTCFullYear(), month, day);
  return midnightMs + (fromMs - Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate()));
}

/** The state of a dataset at a timestamp. */
export function findState(
  frequency: UpdateFrequency | null,
  times: DueTimes | null,
  nowMs: number,
): FreshnessState {
  if (times === null) return frequency === "never" ? "final" : "unknown";
  if (nowMs < times.dueMs) return "fresh";
  return nowMs < times.overdueMs ? "due" : "overdue";
}
