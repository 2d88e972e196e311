import { arrangeFrontPage } from "../../../shared/text/front-page/arrange.ts";
import {
  type CardMeasure,
  chooseDataSetting,
  chooseSetting,
  type FrontSetting,
} from "../../../shared/text/front-page/balance.ts";
import { renderCover } from "../parts/artwork.ts";
import { markWork } from "../parts/language.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { isSameDay, renderDay, TYPE_WORDS } from "../parts/words.ts";
import type { CardView } from "./cards.ts";

/** The blocks of a front page in the specification's order; an empty one is left out. */
export function renderFrontBlocks(cards: CardView[], featuredIds: string[]): Html {
  const { lead, followers, briefs, data, rest } = arrangeFrontPage(cards, featuredIds);
  const isLed = lead !== null || data.length > 0;
  return html`${lead ? renderLeadAndBriefs(lead, followers, briefs) : renderDataAndBriefs(data, briefs)}
${lead && data.length > 0 ? renderRows("data", "Data", data, false) : null}
${rest.length > 0 ? renderRows("more", isLed ? "More work" : "All work", rest) : null}`;
}

/** A plain list of works under a heading: title, summary, day, and the kind where the heading does not say it. */
export function renderRows(id: string, heading: string, cards: CardView[], withType = true): Html {
  return html`<section class="block" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
<ul class="rows">${cards.map(
    (
      card,
    ) => html`<li><div><h3${markWork(card.language, card.title)}><a href="${card.url}">${card.title}</a></h3>
${card.summary ? html`<p${markWork(card.language, card.summary)}>${card.summary}</p>` : null}</div>
<p class="by">${renderCardLine(card, withType)}</p></li>\n`,
  )}</ul></section>`;
}

function renderLeadAndBriefs(lead: CardView, followers: CardView[], briefs: CardView[]): Html {
  const setting =
    briefs.length === 0
      ? "alone"
      : chooseSetting({
          lead: measureCard(lead),
          followers: followers.map(measureCard),
          briefs: briefs.map(measureCard),
        });
  // Where the lead has two thirds, the first of two followers below has them too.
  const follow =
    followers.length === 2 && (setting === "flat" || setting === "band") ? "follow wide" : "follow";
  return html`<div class="${nameGrid(setting)}">${renderCover(lead.coverUrl)}
${renderCard({ ...lead, coverUrl: null }, "lead card")}
${followers.length > 0 ? html`<div class="${follow}">${followers.map((card) => renderCard(card, "card", true))}</div>` : null}
${briefs.length > 0 ? renderBriefs(briefs) : null}</div>`;
}

/** Without a story data leads: beside the briefs as many as fill the column, the others below. */
function renderDataAndBriefs(data: CardView[], briefs: CardView[]): Html | null {
  if (data.length === 0) {
    return briefs.length === 0 ? null : html`<div class="front">${renderBriefs(briefs)}</div>`;
  }
  const { setting, beside } =
    briefs.length === 0
      ? { setting: "alone" as const, beside: data.length }
      : chooseDataSetting(data.map(measureCard), briefs.map(measureCard));
  const below = data.slice(beside);
  return html`<div class="${nameGrid(setting)}">${renderRows("data", "Data", data.slice(0, beside), false)}
${briefs.length > 0 ? renderBriefs(briefs) : null}</div>
${below.length > 0 ? renderRows("more-data", "More data", below, false) : null}`;
}

/** The classes of a setting: its columns are thirds or halves of the sheet; a lead without briefs has it alone. */
function nameGrid(setting: FrontSetting | "alone"): string {
  if (setting === "alone") return "front";
  return `front ${setting === "even" || setting === "pair" ? "halves" : "thirds"} ${setting}`;
}

function measureCard({ title, summary, agent, coverUrl }: CardView): CardMeasure {
  const by = `${agent ? `${agent.display_name} · ` : ""}Updated 20 November 2026`;
  return { title, summary, by, hasCover: coverUrl !== null };
}

function renderCard(card: CardView, classes: string, later = false): Html {
  const section = card.section ? html` · <bdi>${card.section.name}</bdi>` : null;
  return html`<article class="${classes}">${renderCover(card.coverUrl, later)}<p class="label"><b>${TYPE_WORDS[card.type]}</b>${section}</p>
<h2${markWork(card.language, card.title)}><a href="${card.url}">${card.title}</a></h2>
${card.summary ? html`<p${markWork(card.language, card.summary)}>${card.summary}</p>` : null}
<p class="by">${renderCardLine(card, false)}</p></article>`;
}

function renderBriefs(briefs: CardView[]): Html {
  return html`<section class="briefs" aria-labelledby="briefs"><h2 id="briefs">In brief</h2>
<ul>${briefs.map(
    (
      card,
    ) => html`<li><p class="plain"${markWork(card.language, card.title)}><a href="${card.url}">${card.title}</a></p>
<p class="by">${renderCardLine(card, false)}</p></li>\n`,
  )}</ul></section>`;
}

function renderCardLine(card: CardView, withType: boolean): Html {
  const by = card.agent ? html`<a href="${card.agent.url}">${isolate(card.agent.display_name)}</a> · ` : null;
  const kind = withType ? `${TYPE_WORDS[card.type]} · ` : "";
  const updated = isSameDay(card.updated_at, card.first_published_at) ? "" : "Updated ";
  const mark = card.retracted ? html`<b>Retracted</b> · ` : null;
  return html`${mark}${by}<span class="one">${kind}${updated}${renderDay(card.updated_at)}</span>`;
}
