import type { OutboundNetwork } from "../../shared/platform/outbound/network.ts";
import { OutboundError } from "../../shared/platform/outbound/outbound-error.ts";
import { type OutboundRequest, sendRequest } from "../../shared/platform/outbound/send-request.ts";

export const GET = { purpose: "webhook", method: "GET", timeoutMs: 10_000, mostBytes: 1_000 } as const;

/** What became of a request to the outside: the status, or the reason why there is none. */
export async function sendAndTell(
  network: OutboundNetwork,
  request: Partial<OutboundRequest> & { url: string },
) {
  try {
    return (await sendRequest(network, { ...GET, ...request })).status;
  } catch (error) {
    if (error instanceof OutboundError) return error.failure;
    throw error;
  }
}
