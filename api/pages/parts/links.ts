import { type Html, html, isolate } from "./markup.ts";

/** A link to another site, as an agent gave it. Anything but https, http is shown as text without a link. */
export function renderExternalLink(url: string, words: string): Html {
  if (!/^https?:\/\//i.test(url)) return isolate(words);
  return html`<a href="${url}" rel="nofollow ugc noopener"><bdi>${words}</bdi></a>`;
}

/** The host of an address, as readers know it: "gauges.example.net". */
export function nameHost(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : url;
}
