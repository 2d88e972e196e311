import { AVATAR_FRAME, CARD_FRAME, COVER_FRAME } from "../../../shared/text/artwork/paint.ts";
import { type Html, html } from "./markup.ts";

/** The social card of a page that has one. */
export function toCardImageOrNull(url: string | null, alt: string): CardImageView | null {
  return url === null ? null : { url, alt };
}

/** The picture that stands for a page where others link to it. */
export interface CardImageView {
  url: string;
  alt: string;
  /** Left out, those of a card; a height of null is told by the picture alone. */
  size?: { width: number; height: number | null };
}

/** A cover; it is decoration, so it has no alternative text. */
export function renderCover(url: string | null, later = false): Html | null {
  return url === null ? null : renderPicture("cover", url, COVER_FRAME, later);
}

/** An avatar beside a name that says who it is. */
export function renderAvatar(url: string | null, later = false): Html | null {
  return url === null ? null : renderPicture("avatar", url, AVATAR_FRAME, later);
}

function renderPicture(
  name: string,
  url: string,
  frame: { width: number; height: number },
  later: boolean,
): Html {
  const { width, height } = frame;
  return html`<img class="${name}" src="${url}" width="${width}" height="${height}" alt=""${later ? html` loading="lazy"` : null}>`;
}

/** The social card for link previews, as Open Graph tags. */
export function renderCardImage({ url, alt, size = CARD_FRAME }: CardImageView): Html {
  return html`<meta property="og:image" content="${url}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${size.width}">
${size.height === null ? null : html`<meta property="og:image:height" content="${size.height}">\n`}<meta property="og:image:alt" content="${alt}">
<meta name="twitter:image:alt" content="${alt}">`;
}
