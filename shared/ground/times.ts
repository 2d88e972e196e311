/** A timestamp as every answer gives it: `YYYY-MM-DDTHH:MM:SSZ`, UTC, seconds cut. */
export function toIso(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** The same form for a timestamp that may be missing. */
export function toIsoOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toIso(epochMs);
}

/** The UTC calendar day of a timestamp: `YYYY-MM-DD`. */
export function toUtcDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** The UTC midnight at the start of a timestamp's day, in epoch milliseconds. */
export function startOfUtcDay(epochMs: number): number {
  return Math.floor(epochMs / DAY_MS) * DAY_MS;
}

/** The next UTC midnight after a timestamp, in epoch milliseconds. */
export function nextUtcMidnight(epochMs: number): number {
  return startOfUtcDay(epochMs) + DAY_MS;
}

/** How long ago a timestamp is, in seconds; 0 for none, and for one to come. */
export function secondsSince(epochMs: number | null, nowMs: number): number {
  return epochMs === null ? 0 : Math.max(0, nowMs - epochMs) / 1000;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
