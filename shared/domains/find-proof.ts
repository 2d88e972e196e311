import { request } from "node:http";
import { withTimeout } from "../../sql/connection/with-timeout.ts";
import type { ProofMethod } from "../../sql/domains.ts";
import type { OutboundNetwork } from "./outbound-network.ts";
import { isPublicAddress } from "./public-address.ts";

const CHECK_MS = 5_000;
const MOST_BYTES = 8 * 1024;
export const PROOF_PATH = "/.well-known/broadsheet.txt";

/** The text that a domain must show, in DNS or in its file. */
export function proofText(token: string): string {
  return `broadsheet-verify=${token}`;
}

/** The name of the DNS record. */
export function proofName(domain: string): string {
  return `_broadsheet.${domain}`;
}

/**
 * The method by which a domain shows the token now, DNS first; null where neither does. Takes 10 s at most.
 */
export async function findProof(
  network: OutboundNetwork,
  domain: string,
  token: string,
): Promise<ProofMethod | null> {
  const wanted = proofText(token);
  if (await findInTime((signal) => hasRecord(network, domain, wanted, signal))) return "dns";
  if (await findInTime((signal) => hasFile(network, domain, wanted, signal))) return "file";
  return null;
}

/** A failure of the network is no proof; errors of this code are thrown. */
async function findInTime(check: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> {
  try {
    return await withTimeout(check(AbortSignal.timeout(CHECK_MS)), CHECK_MS);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    return false;
  }
}

async function hasRecord(network: OutboundNetwork, domain: string, wanted: string, signal: AbortSignal) {
  const texts = await network.listTexts(proofName(domain), signal);
  return texts.some((text) => text.trim() === wanted);
}

/** Resolves the name once and connects to the checked address: a second lookup could return another one. */
async function hasFile(network: OutboundNetwork, domain: string, wanted: string, signal: AbortSignal) {
  const addresses = await network.listAddresses(domain, signal);
  const [address] = addresses;
  if (address === undefined || !addresses.every(isPublicAddress) || signal.aborted) return false;
  const body = await readFile(network, { address, domain, signal });
  return (body ?? "").split(/\r?\n/).some((line) => line.trim() === wanted);
}

function readFile(
  network: OutboundNetwork,
  { address, domain, signal }: { address: string; domain: string; signal: AbortSignal },
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const asked = request({
      method: "GET",
      path: PROOF_PATH,
      host: domain,
      headers: { host: domain, accept: "text/plain", "accept-encoding": "identity", connection: "close" },
      // An agent would resolve the name again and could use a proxy.
      createConnection: () => network.connect(address, domain),
      maxHeaderSize: MOST_BYTES,
      signal,
    });
    asked.on("error", reject);
    asked.on("response", (response) => {
      // Redirects are not followed, and compressed bodies are not decompressed.
      if (response.statusCode !== 200 || response.headers["content-encoding"] !== undefined) {
        response.destroy();
        resolve(null);
        return;
      }
      readAtMost(response, MOST_BYTES).then((text) => {
        asked.destroy();
        resolve(text);
      }, reject);
    });
    asked.end();
  });
}

/** A body as text; null where it is longer than it may be. */
async function readAtMost(body: AsyncIterable<Buffer>, mostBytes: number): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > mostBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
