import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { openFolderMailer, writeMailFile } from "./folder.ts";
import type { Mail, Mailer, MailOutcome } from "./mail.ts";
import { openSmtpMailer, sendAtOnce } from "./smtp.ts";

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

/** What became of a test mail: the carrier, whether it took the mail, and its own words. */
export interface TestMailOutcome {
  to: string;
  from: string | null;
  carrier: "smtp" | "folder";
  accepted: boolean;
  answer: string;
}

/** Sends a message to an address by the configured carrier, once, and returns what the carrier answered. */
export async function sendTestMail(
  { smtpUrl, mailFrom, siteUrl, dataDir }: Config,
  to: string,
): Promise<TestMailOutcome> {
  const text = "This is a test of the mail of this service: it arrived. The link opens the site.";
  const mail: Mail = { to, subject: "A test of the mail of Broadsheet", text, link: `${siteUrl}/` };
  if (smtpUrl === undefined || mailFrom === undefined) {
    const path = await writeMailFile(dataDir, mail);
    return { to, from: null, carrier: "folder", accepted: true, answer: `SMTP_URL is unset: see ${path}` };
  }
  return { to, from: mailFrom, carrier: "smtp", ...(await sendAtOnce({ smtpUrl, from: mailFrom }, mail)) };
}
