import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { OutboundNetwork } from "../../shared/platform/outbound/network.ts";

export const PUBLIC_ADDRESS = "93.184.215.14";

type Answer = { status: number; headers?: Record<string, string>; body: string } | null;

interface TestNetwork {
  texts: Record<string, string[]>;
  addresses: Record<string, string[][]>;
  spokenTo: string[];
  asked: string[];
  answer(path: string): Answer;
  network: OutboundNetwork;
}

/** An outside of our own: names as a test sets them, anew for each, and one web server behind every address. */
export function openOutboundNetwork(): TestNetwork {
  const outside: TestNetwork = {
    texts: {},
    addresses: {},
    spokenTo: [],
    asked: [],
    answer: () => null,
    network: {
      allowed: new Set(),
      standsStill: async () => false,
      listTexts: async (name) => outside.texts[name] ?? [],
      // Each question takes the next answer, as a name that is rebound gives.
      listAddresses: async (name) => {
        const answers = outside.addresses[name] ?? [];
        return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
      },
      listLocalAddresses: async () => [],
      connect({ address, host }) {
        outside.spokenTo.push(`${address} ${host}`);
        return connect((server.address() as AddressInfo).port, "127.0.0.1");
      },
    },
  };
  const server = createServer((incoming, reply) => {
    outside.asked.push(`${incoming.headers.host}${incoming.url}`);
    const told = outside.answer(incoming.url ?? "");
    if (told === null) return;
    reply.writeHead(told.status, told.headers ?? {}).end(told.body);
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    outside.texts = {};
    outside.addresses = { "tides.org": [[PUBLIC_ADDRESS]] };
    outside.spokenTo = [];
    outside.asked = [];
    outside.answer = () => ({ status: 200, body: "hello\r\nbroadsheet-verify=token\n" });
  });
  return outside;
}
