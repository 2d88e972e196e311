/** A message to an owner: plain text around one link. */
export interface Mail {
  to: string;
  subject: string;
  /** Sentences of ours, without the link; an empty line parts paragraphs. */
  text: string;
  link: string;
}

/** The port to whatever carries mail. */
export interface Mailer {
  /** Takes a mail over; returns before it has arrived, and never throws because of a mail server: an answer must not depend on that. */
  send(mail: Mail): Promise<void>;
  /** Gives mails on their way a moment to arrive, then ends. */
  close(): Promise<void>;
}

/** What became of a mail, or of one attempt at it. */
export type MailOutcome = "sent" | "written" | "retried" | "failed";
