/** A message to an owner: plain text around one link. */
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
