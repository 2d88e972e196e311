import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Deps } from "../deps.ts";
import { openFolderMailer } from "./folder.ts";
import { openSmtpMailer } from "./smtp.ts";

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
  /** Takes a mail over. Never tells whether it arrived: an answer must not depend on that. */
  send(mail: Mail): Promise<void>;
  /** Gives mails on their way a moment to arrive, then ends. */
  close(): Promise<void>;
}

/** What became of a mail, or of one attempt at it. */
export type MailOutcome = "sent" | "written" | "retried" | "failed";

/** By SMTP where SMTP_URL is set, else files under DATA_DIR/mail whose links the log prints. */
export function openMailer(
  config: Config,
  log: Logger,
  count: (outcome: MailOutcome) => void = () => undefined,
): Mailer {
  const { smtpUrl, mailFrom } = config;
  if (smtpUrl === undefined || mailFrom === undefined) return openFolderMailer(config.dataDir, log, count);
  return openSmtpMailer({ smtpUrl, from: mailFrom, log, count });
}

/** Hands a mail over to be sent; returns before it has arrived, and never throws because of a mail server. */
export async function sendMail(deps: Deps, mail: Mail): Promise<void> {
  await deps.mailer.send(mail);
}
