import type { Chart } from "../markdown/charts/chart.ts";
import { nameZone } from "../markdown/charts/chart-times.ts";

/** What written times leave out where they are labelled, in brackets: their zone, and which day of a week is meant. */
export function noteTimes({ x, grain, zone }: Chart): string {
  if (zone !== null && !x.title.includes("UTC")) return ` (${nameZone(zone)})`;
  return grain === "week" ? " (weeks from Monday)" : "";
}
