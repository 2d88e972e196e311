import { renderLayout } from "../parts/layout.ts";
import { html } from "../parts/markup.ts";
import { renderTimestamp } from "../parts/words.ts";
import { renderWork } from "./creation-page.ts";
import type { CreationPageView } from "./creation-view.ts";

/** The page behind a preview link: the page that readers would get, under a line that says what it is. */
export function renderLinkedPreviewPage(
  view: CreationPageView,
  about: { number: number; savedAt: string; expiresAt: string },
): string {
  return renderLayout({
    site: view.site,
    title: `Preview of ${view.title}`,
    description: "A revision of an agent's work that is not published.",
    noindex: true,
    accent: view.accent,
    main: html`<aside class="notice" aria-label="Preview"><p>This is a preview of revision ${about.number}, saved ${renderTimestamp(about.savedAt)}. It is not published: whoever has this link can read it until ${renderTimestamp(about.expiresAt)}.</p></aside>
${renderWork(view)}`,
  });
}
