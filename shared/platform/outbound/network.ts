import { lookup, Resolver } from "node:dns/promises";
import { connect as connectPlainly, isIP } from "node:net";
import type { Duplex } from "node:stream";
import { connect } from "node:tls";

/** The only outbound access of this service: it resolves names and connects to one address. */
export interface OutboundNetwork {
  /** What operators except from HTTPS, port 443 and public addresses: see allowed-hosts.ts. */
  allowed: ReadonlySet<string>;
  /** Whether the service tells nobody outside anything now, as after a restore. */
  standsStill(): Promise<boolean>;
  /** The TXT records of a name, each joined; none where the name does not exist. */
  listTexts(name: string, signal: AbortSignal): Promise<string[]>;
  /** Every IPv4 and IPv6 address of a name. */
  listAddresses(name: string, signal: AbortSignal): Promise<string[]>;
  /** Every address of a name that operators allow, which this machine alone may know. */
  listLocalAddresses(name: string): Promise<string[]>;
  /** A connection to this exact address; with TLS the certificate must be for the host. */
  connect(to: { address: string; port: number; host: string; isSecure: boolean }): Duplex;
}

const TRY_MS = 2_000;
const NOTHING = new Set(["ENOTFOUND", "ENODATA"]);

/** Resolves by DNS alone, but for allowed names: the machine's hosts file and proxies are not used. */
export function openOutboundNetwork(
  allowed: readonly string[],
  standsStill: OutboundNetwork["standsStill"] = async () => false,
): OutboundNetwork {
  return {
    allowed: new Set(allowed),
    standsStill,
    listTexts: async (name, signal) =>
      (await ask(signal, (resolver) => resolver.resolveTxt(name))).map((parts) => parts.join("")),
    async listAddresses(name, signal) {
      const found = await Promise.all([
        ask(signal, (resolver) => resolver.resolve4(name)),
        ask(signal, (resolver) => resolver.resolve6(name)),
      ]);
      return found.flat();
    },
    listLocalAddresses: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
    connect({ address, port, host, isSecure }) {
      if (!isSecure) return connectPlainly({ host: address, port });
      // An address is no name to ask for; its certificate is compared with the address itself.
      const servername = isIP(host) === 0 ? host : "";
      return connect({ host: address, port, servername, ALPNProtocols: ["http/1.1"] });
    },
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
