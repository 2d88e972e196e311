import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { openFolderMailer } from "./folder.ts";
import type { Mailer, MailOutcome } from "./mail.ts";
import { openSmtpMailer } from "./smtp.ts";

/**
 * Opens the mailer: SMTP where SMTP_URL is set, else files under DATA_DIR/mail whose links the log prints. While the
 * service stands still after a restore, only links that sign in go out.
 */
export async function openMailer(
  config: Config,
  log: Logger,
  count: (outcome: MailOutcome) => void = () => undefined,
  standsStill: () => Promise<boolean> = async () => false,
): Promise<Mailer> {
  const { smtpUrl, mailFrom } = config;
  const carrier =
    smtpUrl === undefined || mailFrom === undefined
      ? openFolderMailer(config.dataDir, log, count)
      : await openSmtpMailer({ smtpUrl, from: mailFrom, log, count });
  return {
    async send(mail) {
      // Asked for every mail, so that the time does not tell which it is. What the mail tells of is committed: a
      // database that is away now loses no mail.
      const isHeld = await standsStill().catch(() => false);
      if (!isHeld || mail.signsIn) return await carrier.send(mail);
      count("held");
      log.warn({ subject: mail.subject }, "mail is not sent: the service stands still until backup resume");
    },
    close: () => carrier.close(),
  };
}
