import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Deps } from "./deps.ts";

/** A message to an owner: plain text around one link. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  link: string;
}

/** Without a mail server a mail is a file under DATA_DIR/mail, and its link is printed in the log, once. */
export async function sendMail(deps: Deps, mail: Mail): Promise<void> {
  const folder = join(deps.config.dataDir, "mail");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const text = `To: ${mail.to}\nSubject: ${mail.subject}\n\n${mail.text}\n\n${mail.link}\n`;
  await writeFile(join(folder, `${deps.newId()}.txt`), text, { mode: 0o600 });
  deps.log.info({ sign_in_link: mail.link }, "mail is written to a file: no SMTP_URL is set");
}
