import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { ulid } from "ulid";
import { giveToFolderOwner, makeFolder } from "../files/folder-owner.ts";
import { writePlainText } from "./letter.ts";
import type { Mail, Mailer, MailOutcome } from "./mail.ts";

/**
 * Writes each mail to a file under DATA_DIR/mail and prints its link in the log once; used without a mail
 * server.
 */
export function openFolderMailer(
  dataDir: string,
  log: Logger,
  count: (outcome: MailOutcome) => void,
): Mailer {
  return {
    async send(mail) {
      try {
        await writeMailFile(dataDir, mail);
      } catch (err) {
        // The act that the mail tells of is committed: a full disk does not undo it.
        count("failed");
        log.error({ err, sign_in_link: mail.link }, "mail cannot be written to a file: no SMTP_URL is set");
        return;
      }
      count("written");
      log.info({ sign_in_link: mail.link }, "mail is written to a file: no SMTP_URL is set");
    },
    close: async () => undefined,
  };
}

/** Writes a mail into a file of its own under DATA_DIR/mail; returns the path. */
export async function writeMailFile(dataDir: string, mail: Mail): Promise<string> {
  const folder = join(dataDir, "mail");
  const path = join(folder, `${ulid()}.txt`);
  const text = `To: ${mail.to}\nSubject: ${mail.subject}\n\n${writePlainText(mail)}`;
  await makeFolder(folder, 0o700);
  await writeFile(path, text, { mode: 0o600 });
  await giveToFolderOwner(path);
  return path;
}
