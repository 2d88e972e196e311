import { Writable } from "node:stream";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError } from "../../../../shared/ground/errors.ts";
import { loadConfig } from "../../../../shared/platform/config.ts";
import type { Mail, Mailer } from "../../../../shared/platform/mail/mail.ts";
import { openMailer } from "../../../../shared/platform/mail/mailer.ts";
import { openSmtpMailer } from "../../../../shared/platform/mail/smtp.ts";
import { openSmtpServer, type SmtpServer } from "../../../support/smtp-server.ts";

const SECRET = "x7F_secret-of-the-link";
const MAIL: Mail = {
  to: "nora@example.org",
  subject: "Sign in to Broadsheet",
  text: "Open this <link> to sign in.\n\nIt works once.",
  link: `https://broadsheet.example.org/sign-in/${SECRET}`,
};

let server: SmtpServer;
let logged: string;
let mailer: Mailer;
let outcomes: string[];
const lines = () =>
  logged
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

function openLog() {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  return pino({ level: "trace" }, sink);
}

beforeEach(async () => {
  logged = "";
  outcomes = [];
  server = await openSmtpServer();
  const from = "Broadsheet <mail@broadsheet.example.org>";
  mailer = await openSmtpMailer({
    smtpUrl: server.url,
    from,
    log: openLog(),
    count: (outcome) => outcomes.push(outcome),
    pausesMs: [1, 1],
  });
});
afterEach(async () => {
  await mailer.close();
});

async function settle(): Promise<void> {
  await mailer.close();
}

test("a mail arrives as plain text and as HTML that fetches nothing, with the link in both", async () => {
  await mailer.send(MAIL);
  await settle();
  const [got] = server.received;
  expect([got?.from, got?.to]).toEqual(["mail@broadsheet.example.org", ["nora@example.org"]]);
  const data = (got?.data ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
  expect(data).toContain("From: Broadsheet <mail@broadsheet.example.org>");
  expect(data).toContain("Auto-Submitted: auto-generated");
  expect(data).toMatch(/text\/plain[\s\S]+text\/html/);
  expect(data.split(MAIL.link)).toHaveLength(4);
  expect(data).toContain("<p>Open this &lt;link&gt; to sign in.</p>");
  expect(data).not.toMatch(/<img|<script|src=|url\(/);
  expect(lines()).toMatchObject([{ msg: "mail is sent", attempt: 1 }]);
});

describe("a server that refuses", () => {
  test.for([
    [["451 greylisted, come back"], 1, ["mail is tried again", "mail is sent"]],
    [["451 no", "421 no", "450 no"], 0, ["mail is tried again", "mail is tried again", "mail is not sent"]],
    [["550 <nora@example.org> unknown"], 0, ["mail is not sent"]],
  ] as const)("with %j: %d mails arrive", async ([refusals, count, told]) => {
    server.refusals.push(...refusals);
    await mailer.send(MAIL);
    await settle();
    expect(server.received).toHaveLength(count);
    expect(lines().map((line) => line.msg)).toEqual(told);
    const words = { "mail is sent": "sent", "mail is tried again": "retried", "mail is not sent": "failed" };
    expect(outcomes).toEqual(told.map((line) => words[line]));
  });
});

test("neither a mail nor a server that refuses or is away puts a secret or an address into the log", async () => {
  server.refusals.push(`550 <nora@example.org> ${SECRET}`);
  await mailer.send(MAIL);
  await mailer.send({ ...MAIL, to: "other@example.org" });
  await server.waitFor(1);
  await settle();
  const away = await openSmtpMailer({
    smtpUrl: "smtp://postman:letter-box-secret@127.0.0.1:1",
    from: "mail@example.org",
    log: openLog(),
    count: () => undefined,
    pausesMs: [],
  });
  await away.send(MAIL);
  await away.close();
  expect(
    lines()
      .map((line) => line.msg)
      .toSorted(),
  ).toEqual(["mail is not sent", "mail is not sent", "mail is sent"]);
  expect(logged).not.toMatch(/nora@|other@|letter-box-secret|postman/);
  expect(logged).not.toContain(SECRET);
});

test("a mailer that is closed takes nothing more, and says so", async () => {
  await settle();
  await mailer.send(MAIL);
  expect(server.received).toEqual([]);
  expect(lines()).toMatchObject([{ level: 50 }]);
});

describe("the configuration", () => {
  test("a mail server needs a sender, whose form is checked", () => {
    const SMTP_URL = "smtp://mail.example.org";
    expect(() => loadConfig({ SMTP_URL })).toThrow(/^MAIL_FROM is needed with SMTP_URL/);
    for (const MAIL_FROM of ["nobody", "a@b\r\nBcc: c@d", "A <a@b> c", "two@b, three@d"]) {
      expect(() => loadConfig({ SMTP_URL, MAIL_FROM })).toThrow(ConfigError);
    }
    for (const MAIL_FROM of ["mail@example.org", "Broadsheet <mail@example.org>"]) {
      expect(loadConfig({ SMTP_URL, MAIL_FROM })).toMatchObject({ smtpUrl: SMTP_URL, mailFrom: MAIL_FROM });
    }
    expect(() => loadConfig({ SMTP_URL: "http://mail.example.org", MAIL_FROM: "a@b.org" })).toThrow(
      /SMTP_URL/,
    );
  });

  test("with both set mail goes to the server and the link is not logged", async () => {
    const config = loadConfig({ SMTP_URL: server.url, MAIL_FROM: "mail@example.org" });
    const real = await openMailer(config, openLog());
    await real.send(MAIL);
    await server.waitFor(1);
    await real.close();
    expect(logged).not.toContain(SECRET);
  });
});
