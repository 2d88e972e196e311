import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { closeAfterwards } from "./close-afterwards.ts";

/** A mail as a server of RFC 5321 got it. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Head and body, dots unstuffed. */
  data: string;
}

/** A small SMTP server on the loopback address, for one test. */
export interface SmtpServer {
  url: string;
  received: ReceivedMail[];
  /** Its answers to the next MAIL commands, one each, instead of 250. */
  refusals: string[];
  /** Resolves when `count` mails have come. */
  waitFor(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Listens on a free port and accepts every mail, unless `refusals` holds another answer. */
export async function openSmtpServer(): Promise<SmtpServer> {
  const received: ReceivedMail[] = [];
  const refusals: string[] = [];
  const sockets = new Set<Socket>();
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    converse(socket, refusals, (mail) => {
      received.push(mail);
      for (const { count, resolve } of waiting) if (received.length >= count) resolve();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://postman:letter-box-secret@127.0.0.1:${port}`,
    received,
    refusals,
    async waitFor(count) {
      if (received.length >= count) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ count, resolve });
      const timer = setTimeout(() => resolve(), 10_000);
      await promise;
      clearTimeout(timer);
      if (received.length < count) throw new Error(`${received.length} mails came, not ${count}`);
    },
    close: closeAfterwards(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    }),
  };
}

function converse(socket: Socket, refusals: string[], onMail: (mail: ReceivedMail) => void): void {
  let rest = "";
  let body: string[] | null = null;
  let mail: ReceivedMail = { from: "", to: [], data: "" };
  const say = (line: string) => socket.write(`${line}\r\n`);
  const hear = (line: string) => {
    if (body !== null) {
      if (line !== ".") return void body.push(line.replace(/^\./, ""));
      onMail({ ...mail, data: body.join("\r\n") });
      body = null;
      return say("250 taken");
    }
    const command = line.slice(0, 4).toUpperCase();
    if (command === "EHLO") return say("250-broadsheet.test\r\n250 AUTH PLAIN LOGIN");
    if (command === "AUTH") return say("235 come in");
    if (command === "MAIL") {
      mail = { from: /<(.*?)>/.exec(line)?.[1] ?? "", to: [], data: "" };
      return say(refusals.shift() ?? "250 ok");
    }
    if (command === "RCPT") {
      mail.to.push(/<(.*?)>/.exec(line)?.[1] ?? "");
      return say("250 ok");
    }
    if (command === "DATA") {
      body = [];
      return say("354 go on");
    }
    if (command === "QUIT") return void socket.end("221 bye\r\n");
    return say("250 ok");
  };
  say("220 broadsheet.test ESMTP");
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  });
}
