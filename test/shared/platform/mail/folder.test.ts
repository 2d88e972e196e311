import { readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { loadConfig } from "../../../../shared/platform/config.ts";
import {
  deleteMailsWith,
  openFolderMailer,
  sweepMails,
  writeMailFile,
} from "../../../../shared/platform/mail/folder.ts";
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

test("mails in files go with the address that they name, and after seven days", async () => {
  const folder = await openFolder();
  const config = loadConfig({ DATA_DIR: folder });
  const nowMs = Date.now();
  const now = () => nowMs;
  expect([await sweepMails({ config, now }), await deleteMailsWith(config, MAIL.to)]).toEqual([0, 0]);
  const others = await Promise.all(
    [6, 8].map(async (days) => {
      const path = await writeMailFile(folder, { ...MAIL, to: "other@example.org" });
      await utimes(path, new Date(nowMs - days * DAY_MS), new Date(nowMs - days * DAY_MS));
      return path;
    }),
  );
  await writeMailFile(folder, MAIL);
  await writeMailFile(folder, { ...MAIL, to: "new@example.org", text: `Once ${MAIL.to}.` });
  expect(await deleteMailsWith(config, MAIL.to)).toBe(2);
  expect(await sweepMails({ config, now })).toBe(1);
  expect(await readdir(join(folder, "mail"))).toEqual([others[0]?.split("/").at(-1)]);
});
