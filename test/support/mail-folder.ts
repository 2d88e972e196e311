import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
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
