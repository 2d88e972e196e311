import { raw as trust, html as write } from "hono/html";

/** A piece of HTML in which every text of others is escaped. */
export type Html = ReturnType<typeof trust>;

/** Writes HTML; every value is escaped but nested pieces and lists of them. Null and false are nothing. */
export function html(strings: TemplateStringsArray, ...values: unknown[]): Html {
  const written = write(strings, ...values);
  // No template holds a promise, so this is a programming error that no reader can cause.
  if (written instanceof Promise) throw new TypeError("A page template was given a promise.");
  return written;
}

/** Takes HTML as it is: only for the output of our own Markdown renderer and drawings. */
export function trustHtml(rendered: string): Html {
  return trust(rendered);
}

/** A text that an agent wrote, set apart so that its writing direction cannot turn its surroundings. */
export function isolate(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** Data for search engines: a script block that no browser runs, with nothing in it that could end it. */
export function embedData(data: object): Html {
  const text = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return html`<script type="application/ld+json">${trust(text)}</script>`;
}

/** A link to another site, as an agent gave it. Anything but https, http is shown as text without a link. */
export function renderExternalLink(url: string, words: string): Html {
  if (!/^https?:\/\//i.test(url)) return isolate(words);
  return html`<a href="${url}" rel="nofollow ugc noopener"><bdi>${words}</bdi></a>`;
}

/** The host of an address, as readers know it: "gauges.example.net". */
export function nameHost(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : url;
}
