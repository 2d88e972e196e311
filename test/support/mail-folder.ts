import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestService } from "./service.ts";
import { until } from "./service-process.ts";

/** What stands in the newest mail to somebody that a service wrote into its data folder; waits for it. */
export async function findInMail(dataDir: string, email: string, what: RegExp): Promise<string> {
  const mails = join(dataDir, "mail");
  let found = "";
  await until(async () => {
    for (const name of (await readdir(mails).catch(() => [])).toSorted()) {
      const text = (await readFile(join(mails, name), "utf8")).replaceAll("=\r\n", "").replaceAll("=3D", "=");
      if (text.includes(`To: ${email}`)) found = what.exec(text)?.[0] ?? found;
    }
    return found !== "";
  }, 20_000);
  return found;
}

/** The mails to an address that a service without a mail server wrote, oldest first. */
export async function mailsTo({ deps }: Pick<TestService, "deps">, email: string): Promise<string[]> {
  return (await listMails({ deps })).filter((mail) => mail.includes(`To: ${email}\n`));
}

/** Every mail that a service without a mail server wrote, oldest first. */
export async function listMails({ deps }: Pick<TestService, "deps">): Promise<string[]> {
  const folder = join(deps.config.dataDir, "mail");
  const names = (await readdir(folder).catch(() => [])).sort();
  return await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
}

/** The path of the link in a mail. */
export function pathIn(mail: string | undefined): string {
  return /http:\/\/localhost:3000(\/\S+)/.exec(mail ?? "")?.[1] ?? "";
}
