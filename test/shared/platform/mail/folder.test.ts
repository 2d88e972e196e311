import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFolderMailer } from "../../../../shared/platform/mail/folder.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { captureLog } from "../../../support/log-lines.ts";

const link = "http://localhost:3000/console/email/abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq";
const MAIL = { to: "nora@example.org", subject: "Confirm", text: "Open this link.", link };

test("a mail is a file, and where none can be written its link is still logged and nothing fails", async () => {
  const folder = await openFolder();
  const { log, lines } = captureLog();
  const outcomes: string[] = [];
  const mailer = openFolderMailer(folder, log, (outcome) => outcomes.push(outcome));
  await mailer.send(MAIL);
  const [name = ""] = await readdir(join(folder, "mail"));
  expect(await readFile(join(folder, "mail", name), "utf8")).toContain(link);
  await rm(join(folder, "mail"), { recursive: true });
  await writeFile(join(folder, "mail"), "no folder");
  await mailer.send(MAIL);
  expect(outcomes).toEqual(["written", "failed"]);
  expect(lines().map(({ level, sign_in_link }) => [level, sign_in_link])).toEqual([
    ["info", link],
    ["error", link],
  ]);
});
