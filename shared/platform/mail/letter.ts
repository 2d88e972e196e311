import { html } from "hono/html";
import type { Mail } from "./mail.ts";

/** The mail as plain text: the sentences, then the link alone on its line. */
export function writePlainText({ text, link }: Mail): string {
  return `${text}\n\n${link}\n`;
}

/** The mail as HTML: no picture, no style sheet, nothing to fetch, and the link readable as it is. */
export function writeHtml({ subject, text, link }: Mail): string {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => html`<p>${paragraph}</p>\n`);
  return String(html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body style="font-family: Georgia, serif; font-size: 17px; line-height: 1.5; max-width: 34em; margin: 2em auto; padding: 0 1em">
${paragraphs}<p><a href="${link}">${link}</a></p>
<p>If you did not ask for this, do nothing: the link alone changes nothing.</p>
</body>
</html>
`);
}
