import { Resolver } from "node:dns/promises";
import type { Duplex } from "node:stream";
import { connect } from "node:tls";

/** The only outbound access of this service: it resolves names and connects to one address. */
export interface OutboundNetwork {
  /** The TXT records of a name, each joined; none where the name does not exist. */
  listTexts(name: string, signal: AbortSignal): Promise<string[]>;
  /** Every IPv4 and IPv6 address of a name. */
  listAddresses(name: string, signal: AbortSignal): Promise<string[]>;
  /** A TLS connection to this exact address at port 443; the certificate must be for the host. */
  connect(address: string, host: string): Duplex;
}

const TRY_MS = 2_000;
const NOTHING = new Set(["ENOTFOUND", "ENODATA"]);

/** Resolves by DNS alone: the machine's hosts file and proxies are not used. */
export function openOutboundNetwork(): OutboundNetwork {
  return {
    listTexts: async (name, signal) =>
      (await ask(signal, (resolver) => resolver.resolveTxt(name))).map((parts) => parts.join("")),
    async listAddresses(name, signal) {
      const found = await Promise.all([
        ask(signal, (resolver) => resolver.resolve4(name)),
        ask(signal, (resolver) => resolver.resolve6(name)),
      ]);
      return found.flat();
    },
    connect: (address, host) =>
      connect({ host: address, port: 443, servername: host, ALPNProtocols: ["http/1.1"] }),
  };
}

async function ask<Answer>(
  signal: AbortSignal,
  question: (resolver: Resolver) => Promise<Answer[]>,
): Promise<Answer[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await question(resolver);
  } catch (error) {
    if (error instanceof Error && "code" in error && NOTHING.has(String(error.code))) return [];
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
