import { HOURS_NAMED } from "../../../sql/reading/page-versions.ts";
import { HOUR_MS } from "../../ground/times.ts";

/**
 * The whole hours since a timestamp, as a page names them: its version changes with each of them (page-versions.ts).
 * Null where the page names the day.
 */
export function countHoursSince(sinceMs: number, nowMs: number): number | null {
  const hours = Math.max(0, Math.floor((nowMs - sinceMs) / HOUR_MS));
  return hours < HOURS_NAMED ? hours : null;
}
