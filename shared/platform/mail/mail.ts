/** A message to an owner: plain text around one link. */
import { html } from "hono/html";
export interface Mail {
  to: string;
  subject: string;
  /** Our sentences without the link; an empty line separates paragraphs. */
  text: string;
  link: string;
  /** Set for a link that signs an owner in: it goes out while the service stands still after a restore, too. */
  signsIn?: true;
}

/** The port to a carrier of mail. */
export interface Mailer {
  /**
   * Accepts a mail and returns before it is sent; never throws for a mail server, as no answer may depend on
   * one.
   */
  send(mail: Mail): Promise<void>;
  /** Gives mails that are being sent a few seconds, then closes. */
  close(): Promise<void>;
}

/** The outcome of a mail, or of one attempt to send it. */
export type MailOutcome = "sent" | "written" | "retried" | "failed" | "held";

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
