import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "./agent.ts";
import { closeAfterwards } from "./close-afterwards.ts";

/** A request that came to a receiver. */
export interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  json: Json;
  atMs: number;
}

/** A server that receives webhooks: it consents, notes what comes, and answers as a test says. */
export interface WebhookReceiver {
  /** `host:port`, for OUTBOUND_ALLOW. */
  host: string;
  url: string;
  /** Everything that came, questions for consent too. */
  all: Received[];
  /** What came but questions for consent. */
  received(): Received[];
  /** How to answer what is no question; 204 unless a test sets it. */
  answer(reply: ServerResponse, received: Received): void;
  /** How to answer a question for consent; with the challenge unless a test sets it. */
  consent(reply: ServerResponse, received: Received): void;
  /** How many requests are unanswered, and the most there were at once. */
  open: number;
  mostOpen: number;
  /** Forgets what came, and answers as in the beginning. */
  reset(): void;
  close(): Promise<void>;
}

const WILLING: Pick<WebhookReceiver, "answer" | "consent"> = {
  answer: (reply) => void reply.writeHead(204).end(),
  consent: (reply, { json }) =>
    void reply.end(json.data?.challenge ?? JSON.stringify({ challenge: json.challenge })),
};

/** Whether it is a question for consent: a webhook's, or that of a subscription. */
const isQuestion = ({ json }: Received) => ["webhook.verify", "verification"].includes(json.type);

/** Starts a receiver on the loopback address. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer(async (incoming, reply) => {
    receiver.mostOpen = Math.max(receiver.mostOpen, ++receiver.open);
    reply.on("close", () => receiver.open--);
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const text = Buffer.concat(parts).toString("utf8");
    const received = { headers: incoming.headers, text, json: JSON.parse(text), atMs: Date.now() };
    receiver.all.push(received);
    if (isQuestion(received)) receiver.consent(reply, received);
    else receiver.answer(reply, received);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: WebhookReceiver = {
    host,
    url: `http://${host}/hook`,
    all: [],
    received: () => receiver.all.filter((one) => !isQuestion(one)),
    ...WILLING,
    open: 0,
    mostOpen: 0,
    reset: () => void Object.assign(receiver, { ...WILLING, all: [], mostOpen: 0 }),
    close: closeAfterwards(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }),
  };
  return receiver;
}
