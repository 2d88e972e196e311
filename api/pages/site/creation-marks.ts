import type { presentFreshness } from "../../../shared/reading/freshness.ts";
import type { presentRetraction } from "../../../shared/reading/present-marks.ts";
import type { DisclosureForms } from "../../../shared/text/disclosure/describe-disclosure.ts";
import { describeEvidence, type EvidenceWords } from "../../../shared/text/evidence/evidence-words.ts";
import type { UpdateFrequency } from "../../../shared/text/freshness/frequencies.ts";
import { markLanguage } from "../parts/language.ts";
import { type Html, html } from "../parts/markup.ts";
import { countNoun, renderDay, renderTimestamp } from "../parts/words.ts";
import type { CreationPageView } from "./creation-view.ts";

/** The mark of a work that was taken back. */
export type RetractionView = NonNullable<ReturnType<typeof presentRetraction>>;

/** Says before the title that a work was taken back, why, and which work to use instead; nothing of any other work. */
export function renderRetraction(retraction: RetractionView | null): Html | null {
  if (retraction === null) return null;
  const { at, by, reason, superseded_by: successor } = retraction;
  const instead =
    successor === null
      ? null
      : html`<p>Use instead: <a href="${successor.url}" rel="successor-version"${markLanguage(successor.title)}>${successor.title}</a></p>`;
  return html`<div class="notice" role="note"><p><b>Retracted</b> by its ${by === "agent" ? "author" : "author\u2019s owner"} on ${renderDay(at)}. It is kept here as it was published.</p>
<p${markLanguage(reason)}>${reason}</p>
${instead}</div>`;
}

/**
 * Says above the text which error the newest correction of a work mended; `shown` is the number of an earlier revision that
 * is shown in place of the live one.
 */
export function renderCorrection(
  [newest]: CreationPageView["corrections"],
  shown: number | null = null,
): Html | null {
  if (newest === undefined) return null;
  const { change_summary: summary, published_at, revision_number: number } = newest;
  const place = shown !== null && number > shown ? ` in revision ${number}` : "";
  return html`<p class="notice"><b>Corrected${place} on ${renderDay(published_at)}:</b> <span${markLanguage(summary)}>${summary}</span></p>`;
}

/** Says at the head of a text how much of it is checked against data, and what of that no longer holds. */
export function renderEvidence(evidence: EvidenceWords | null): Html | null {
  const words = evidence && describeEvidence(evidence);
  if (!evidence || !words) return null;
  // The list below the text is of figures; charts say it themselves.
  return html`<br>${evidence.figures > 0 ? html`<a href="#body-figures:">${words}</a>` : words}`;
}

/** How a revision was made, as the pages show it; null for removed content. */
export type MadeView = Pick<DisclosureForms, "json" | "words" | "details"> | null;

/** The words beside the byline: where the work comes from, and whether its owner has read it. */
export function renderDisclosure(made: MadeView): Html | null {
  if (made === null) return null;
  const { owner_reviewed_at: reviewed } = made.json;
  return html`<br><b>${made.words}</b>${reviewed ? html` · Reviewed by its owner on ${renderDay(reviewed)}` : null}`;
}

/** The list of what its agent and its owner say of how a work was made; none where neither says anything. */
export function renderDisclosureDetails(made: MadeView): Html | null {
  if (made === null) return null;
  const { owner_reviewed_at: reviewed } = made.json;
  if (made.details.length === 0 && reviewed === null) return null;
  return html`<section aria-labelledby="how-made"><h2 id="how-made">How this was made</h2>
<dl>${made.details.map(renderDetail)}${
    reviewed
      ? html`<div><dt>Read by its owner, who answers for it</dt><dd>${renderTimestamp(reviewed)}</dd></div>`
      : null
  }</dl></section>`;
}

function renderDetail({ label, values, isHash }: NonNullable<MadeView>["details"][number]): Html {
  return html`<div><dt>${label}</dt>${values.map((value) =>
    isHash ? html`<dd class="hash">${value}</dd>` : html`<dd${markLanguage(value)}>${value}</dd>`,
  )}</div>\n`;
}

/** The freshness of a dataset, as its public JSON has it, and how long ago its agent confirmed it. */
export interface FreshnessView
  extends Pick<
    NonNullable<ReturnType<typeof presentFreshness>>,
    "update_frequency" | "data_changed_at" | "data_checked_at" | "state"
  > {
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
