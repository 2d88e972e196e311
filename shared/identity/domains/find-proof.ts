import { TimeoutError, withTimeout } from "../../../sql/connection/with-timeout.ts";
import type { ProofMethod } from "../../../sql/identity/domains.ts";
import { waitWithoutPlace } from "../../platform/concurrency/places.ts";
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

/** What a look for a proof found: the method by which a domain shows the token, or why each of the two does not. */
export interface Proof {
  found: ProofMethod | null;
  /** A sentence for each method that was tried and does not show it. */
  missing: Partial<Record<ProofMethod, string>>;
}

/** Looks whether a domain shows the token now, in DNS first. Takes 10 s at most. */
export async function findProof(network: OutboundNetwork, domain: string, token: string): Promise<Proof> {
  const wanted = proofText(token);
  const dns = await lookInTime((signal) => lookAtRecords(network, domain, wanted, signal));
  if (dns === null) return { found: "dns", missing: {} };
  const file = await lookInTime((signal) => lookAtFile(network, domain, wanted, signal));
  return { found: file === null ? "file" : null, missing: file === null ? { dns } : { dns, file } };
}

/** Why a place does not show the text; null where it does. A failure of the network is no proof; errors of this code are thrown. */
async function lookInTime(look: (signal: AbortSignal) => Promise<string | null>): Promise<string | null> {
  const late = AbortSignal.timeout(CHECK_MS);
  try {
    return await waitWithoutPlace(() => withTimeout(look(late), CHECK_MS));
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    if (late.aborted || error instanceof TimeoutError)
      return `It did not answer within ${CHECK_MS / 1_000} seconds.`;
    return `It cannot be asked: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function lookAtRecords(network: OutboundNetwork, domain: string, wanted: string, signal: AbortSignal) {
  const texts = await network.listTexts(proofName(domain), signal);
  if (texts.some((text) => text.trim() === wanted)) return null;
  if (texts.length === 0) return `${proofName(domain)} has no record of type TXT.`;
  return `None of the ${texts.length} records of type TXT at ${proofName(domain)} is the wanted text.`;
}

async function lookAtFile(network: OutboundNetwork, domain: string, wanted: string, signal: AbortSignal) {
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
  if (status !== 200) return `The file is answered with ${status}, where 200 is wanted.`;
  if (headers["content-encoding"] !== undefined) return "The file is compressed, where plain text is wanted.";
  const lines = body.toString("utf8").split(/\r?\n/);
  return lines.some((line) => line.trim() === wanted) ? null : "No line of the file is the wanted text.";
}
