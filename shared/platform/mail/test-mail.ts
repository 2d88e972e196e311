import type { Config } from "../config.ts";
import { writeMailFile } from "./folder.ts";
import type { Mail } from "./mail.ts";
import { sendAtOnce } from "./smtp.ts";

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
