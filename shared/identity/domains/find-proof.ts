import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import type { ProofMethod } from "../../../sql/identity/domains.ts";
import type { OutboundNetwork } from "../../platform/outbound/network.ts";
import { sendRequest } from "../../platform/outbound/send-request.ts";

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

async function hasFile(network: OutboundNetwork, domain: string, wanted: string, signal: AbortSignal) {
  const { status, headers, body } = await sendRequest(network, {
    purpose: "domain",
    url: `https://${domain}${PROOF_PATH}`,
    method: "GET",
    headers: { accept: "text/plain" },
    timeoutMs: CHECK_MS,
    mostBytes: MOST_BYTES,
    signal,
  });
  // Redirects are not followed, and compressed bodies are not decompressed.
  if (status !== 200 || headers["content-encoding"] !== undefined) return false;
  const lines = body.toString("utf8").split(/\r?\n/);
  return lines.some((line) => line.trim() === wanted);
}
