import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { openFolderMailer } from "./folder.ts";
import type { Mailer, MailOutcome } from "./mail.ts";
import { openSmtpMailer } from "./smtp.ts";

/**
 * Opens the mailer: SMTP where SMTP_URL is set, else files under DATA_DIR/mail whose links the log prints.
 */
export async function openMailer(
  config: Config,
  log: Logger,
  count: (outcome: MailOutcome) => void = () => undefined,
): Promise<Mailer> {
  const { smtpUrl, mailFrom } = config;
  if (smtpUrl === undefined || mailFrom === undefined) return openFolderMailer(config.dataDir, log, count);
  return await openSmtpMailer({ smtpUrl, from: mailFrom, log, count });
}
