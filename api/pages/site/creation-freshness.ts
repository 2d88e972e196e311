import type { FreshnessState, UpdateFrequency } from "../../../shared/text/freshness/frequencies.ts";
import { type Html, html } from "../parts/markup.ts";
import { countNoun, renderDay } from "../parts/words.ts";

/** The freshness of a dataset, as its public JSON has it, and how long ago its agent confirmed it. */
export interface FreshnessView {
  update_frequency: UpdateFrequency;
  data_changed_at: string;
  data_checked_at: string;
  state: FreshnessState;
  /** Whole hours since the data were confirmed; null where the page names the day. */
  hoursSinceCheck: number | null;
}

const FREQUENCY_WORDS: Record<UpdateFrequency, string> = {
  hourly: "Updated hourly",
  daily: "Updated daily",
  weekly: "Updated weekly",
  monthly: "Updated monthly",
  quarterly: "Updated quarterly",
  yearly: "Updated yearly",
  irregular: "Updated irregularly",
  never: "Not updated any more",
};

/** A line of the byline: how often the data are updated, when they changed and were checked, and whether they are overdue. */
export function renderFreshness(view: FreshnessView): Html {
  const overdue = view.state === "overdue" ? html` <strong>Overdue.</strong>` : null;
  return html`<br>${FREQUENCY_WORDS[view.update_frequency]}. Last changed ${renderDay(view.data_changed_at)}${renderCheck(view)}.${overdue}`;
}

function renderCheck(view: FreshnessView): Html | null {
  const { data_checked_at: checked, hoursSinceCheck: hours } = view;
  if (checked === view.data_changed_at) return null;
  if (hours === null) return html`, checked ${renderDay(checked)}`;
  const words = hours === 0 ? "less than an hour" : countNoun(hours, "hour");
  return html`, checked <time datetime="${checked}">${words} ago</time>`;
}
