import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openFolder } from "../../../support/close-afterwards.ts";
import { createTestDatabase } from "../../../support/cluster.ts";
import { runHere } from "../../../support/run-here.ts";
import { openSmtpServer } from "../../../support/smtp-server.ts";

let dataDir = "";

const database = await createTestDatabase();
dataDir = await openFolder();

const MAIL_FROM = "Broadsheet <mail@example.org>";
const mailTest = (env: NodeJS.ProcessEnv, to = "nora@example.org") =>
  runHere(["mail", "test", "--to", to], { DATABASE_URL: database.url, DATA_DIR: dataDir, ...env });

test("mail test sends a real message and prints the server's answer, also a refusal, without the password", async () => {
  const server = await openSmtpServer();
  const taken = (await mailTest({ SMTP_URL: server.url, MAIL_FROM })).json();
  expect(taken).toEqual({
    to: "nora@example.org",
    from: MAIL_FROM,
    carrier: "smtp",
    accepted: true,
    answer: expect.stringMatching(/^250 /),
  });
  expect(server.received).toMatchObject([{ to: ["nora@example.org"] }]);
  expect(server.received[0]?.data).toContain("This is a test of the mail");
  server.refusals.push("550 5.7.1 No mail from here");
  const refused = await mailTest({ SMTP_URL: server.url, MAIL_FROM });
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    accepted: false,
    answer: expect.stringContaining("550 5.7.1 No mail from here"),
  });
  const away = await mailTest({ SMTP_URL: "smtp://user:t0ps3cret@127.0.0.1:1", MAIL_FROM });
  expect([away.code, JSON.parse(away.stdout).accepted]).toEqual([1, false]);
  expect(away.stdout + away.stderr).not.toContain("t0ps3cret");
});

test("without a mail server it names the file that holds the message, and refuses what is no address", async () => {
  const written = (await mailTest({ SMTP_URL: "" })).json();
  const path = /see (.*)$/.exec(String(written.answer))?.[1] ?? "";
  expect(await readFile(path, "utf8")).toMatch(/^To: nora@example\.org\n/);
  const sentence = "--to takes an e-mail address, such as nora@example.org.";
  expect((await mailTest({}, "nobody")).refusal()).toMatchObject({
    message: sentence,
    errors: { to: [sentence] },
  });
});
