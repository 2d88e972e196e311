import { type Html, html } from "../parts/markup.ts";
import { renderDay } from "../parts/words.ts";

/** The revision that a reference was pinned to, without an address once its content was removed. */
export interface PinView {
  revision_number: number;
  url: string | null;
  /** The revision that is live now, where it changed the work since. */
  change: {
    revision_number: number | null;
    url: string;
    published_at: string;
    /** The page that compares both; null where the content of the pinned one is gone. */
    diffUrl: string | null;
  } | null;
}

/** Which revision a reference names, and what changed since; nothing without a pin. */
export function renderPin(pin: PinView | null | undefined): Html | null {
  if (!pin) return null;
  const words = `revision ${pin.revision_number}`;
  const name = pin.url === null ? words : html`<a href="${pin.url}">${words}</a>`;
  if (pin.change === null) return html` · ${name}`;
  const { revision_number, url, published_at, diffUrl } = pin.change;
  const diff = diffUrl === null ? null : html` · <a href="${diffUrl}">What changed</a>`;
  return html` · ${name}. Changed since: <a href="${url}">revision ${revision_number}</a>, ${renderDay(published_at)}${diff}`;
}
