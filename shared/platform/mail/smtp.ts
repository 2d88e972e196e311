import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import { type Mail, type Mailer, type MailOutcome, writeHtml, writePlainText } from "./mail.ts";

/** Pauses before the second and third attempt: greylisting servers and restarts need them. */
const PAUSES_MS = [1_000, 15_000] as const;
const CLOSES_WITHIN_MS = 3_000;
/** More mails at once mean a server that hangs; owners can ask again. */
const MOST_ON_THEIR_WAY = 200;
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

interface SmtpOptions {
  smtpUrl: string;
  from: string;
  log: Logger;
  count: (outcome: MailOutcome) => void;
  pausesMs?: readonly number[];
}

/**
 * Sends by SMTP in the background: it tries a mail three times at most, and logs a failure without address,
 * link or the server's words, which may repeat both.
 */
export async function openSmtpMailer(options: SmtpOptions): Promise<Mailer> {
  const { smtpUrl, log, count } = options;
  const stopping = new AbortController();
  const onTheirWay = new Set<Promise<void>>();
  const deliver = openDelivery(options, await openTransport(smtpUrl), stopping.signal);
  return {
    async send(mail) {
      if (stopping.signal.aborted || onTheirWay.size >= MOST_ON_THEIR_WAY) {
        count("failed");
        log.error({ waiting: onTheirWay.size }, "mail is not sent: too many are on their way");
        return;
      }
      const sending = deliver(mail).finally(() => onTheirWay.delete(sending));
      onTheirWay.add(sending);
    },
    async close() {
      if (!stopping.signal.aborted) {
        await withTimeout(Promise.all(onTheirWay), CLOSES_WITHIN_MS).catch(() => undefined);
      }
      stopping.abort();
      if (onTheirWay.size > 0) log.error({ waiting: onTheirWay.size }, "mail is not sent: the process stops");
    },
  };
}

/** Delivers one mail; never rejects. */
function openDelivery(options: SmtpOptions, transport: Transport, stopped: AbortSignal) {
  const { from, log, count, pausesMs = PAUSES_MS } = options;
  return async (mail: Mail): Promise<void> => {
    const message = writeMessage(from, mail);
    for (let attempt = 1; ; attempt++) {
      const failure = await attemptOnce(() => transport.sendMail(message));
      if (failure === null) {
        count("sent");
        return log.info({ attempt }, "mail is sent");
      }
      const pauseMs = failure.isFinal ? undefined : pausesMs[attempt - 1];
      const details = { attempt, reason: failure.reason };
      count(pauseMs === undefined ? "failed" : "retried");
      if (pauseMs === undefined) return log.error(details, "mail is not sent");
      log.warn({ ...details, pause_ms: pauseMs }, "mail is tried again");
      await delay(pauseMs, undefined, { signal: stopped }).catch(() => undefined);
      if (stopped.aborted) return;
    }
  };
}

type Transport = Awaited<ReturnType<typeof openTransport>>;

/** Loads the library where mail goes by SMTP: it takes 67 ms of a start. */
async function openTransport(smtpUrl: string) {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url: smtpUrl,
    // Our mails are plain texts: a mail may name no file and no address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...TIMEOUTS,
  });
}

function writeMessage(from: string, mail: Mail) {
  return {
    from,
    to: mail.to,
    subject: mail.subject,
    text: writePlainText(mail),
    html: writeHtml(mail),
    // Automatic responders stay silent (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

/** Sends one mail now and returns whether the server took it, with the server's own words; never throws for a server. */
export async function sendAtOnce(
  { smtpUrl, from }: Pick<SmtpOptions, "smtpUrl" | "from">,
  mail: Mail,
): Promise<{ accepted: boolean; answer: string }> {
  const transport = await openTransport(smtpUrl);
  try {
    const { response } = await transport.sendMail(writeMessage(from, mail));
    return { accepted: true, answer: response };
  } catch (error) {
    const { response, code, message } = error as { response?: string; code?: string; message?: string };
    return { accepted: false, answer: response ?? `${code ?? "EUNKNOWN"}: ${message ?? "no answer"}` };
  } finally {
    transport.close();
  }
}

interface Failure {
  reason: string;
  /** A permanent refusal (5xx) is not retried. */
  isFinal: boolean;
}

async function attemptOnce(send: () => Promise<unknown>): Promise<Failure | null> {
  try {
    await send();
    return null;
  } catch (error) {
    const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
    const answered = typeof responseCode === "number" ? responseCode : 0;
    return { reason: `${String(code ?? "EUNKNOWN")} ${answered || ""}`.trim(), isFinal: answered >= 500 };
  }
}

/** Connects to a mail server and signs in; null on success, else the reason without any secret. */
export async function askMailServer(smtpUrl: string): Promise<string | null> {
  const transport = await openTransport(smtpUrl);
  const failure = await attemptOnce(() => transport.verify());
  transport.close();
  return failure?.reason ?? null;
}
