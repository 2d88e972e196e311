import { glob, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { ulid } from "ulid";
import { DAY_MS } from "../../ground/times.ts";
import { waitWithoutPlace } from "../concurrency/places.ts";
import type { Config } from "../config.ts";
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
        await waitWithoutPlace(() => writeMailFile(dataDir, mail));
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

/** As long as the longest link in a mail works. */
const KEPT_MS = 7 * DAY_MS;

/** Deletes the mails in files that are older than any link in them; returns their count. */
export async function sweepMails({ config, now }: { config: Config; now(): number }): Promise<number> {
  const beforeMs = now() - KEPT_MS;
  return await deleteMails(config.dataDir, async (path) => (await stat(path)).mtimeMs < beforeMs);
}

/** Deletes the mails in files that name an address; returns their count. */
export async function deleteMailsWith(config: Config, address: string): Promise<number> {
  return await deleteMails(config.dataDir, async (path) => (await readFile(path, "utf8")).includes(address));
}

async function deleteMails(dataDir: string, fits: (path: string) => Promise<boolean>): Promise<number> {
  let count = 0;
  for await (const path of glob(join(dataDir, "mail", "*.txt"))) {
    if (!(await fits(path))) continue;
    await rm(path, { force: true });
    count++;
  }
  return count;
}
