import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { request } from "node:http";
import { isIP } from "node:net";
import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import { VERSION } from "../../ground/version.ts";
import { waitWithoutPlace } from "../concurrency/places.ts";
import type { Purpose } from "./allowed-hosts.ts";
import type { OutboundNetwork } from "./network.ts";
import { failed, OutboundError, type Reached, toOutboundError } from "./outbound-error.ts";
import { isPublicAddress } from "./public-address.ts";
import { readTarget, type Target } from "./target.ts";

const MOST_HEAD_BYTES = 16 * 1024;

/** One request to the outside. */
export interface OutboundRequest {
  purpose: Purpose;
  url: string;
  method: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** How long all of it may take, from the look-up of the name to the last byte. */
  timeoutMs: number;
  /** How long the body of the answer may be. With 0 the answer is whole once its head is there. */
  mostBytes: number;
  /** Ends the request before its time, when the process stops. */
  signal?: AbortSignal;
}

/** What came back: a redirect too is an answer, and nobody follows it. */
export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Where the name of the host leads; the first of the addresses answered. */
  addresses: readonly string[];
}

/**
 * The one way out of this service: resolves the name once, refuses unless each of its addresses is public, and speaks
 * to the first of them. Throws an `OutboundError` where no answer came. A POST, which tells somebody something, does not
 * leave a service that stands still; a GET only reads.
 */
export async function sendRequest(
  network: OutboundNetwork,
  wanted: OutboundRequest,
): Promise<OutboundAnswer> {
  const target = readTarget(network.allowed, wanted);
  if (wanted.method === "POST" && (await network.standsStill())) throw failed("stopped");
  const late = AbortSignal.timeout(wanted.timeoutMs);
  const signal = wanted.signal === undefined ? late : AbortSignal.any([late, wanted.signal]);
  const reached: Reached = { addresses: [], isConnected: false };
  try {
    // A look-up by this machine knows no signal.
    const find = () => withTimeout(findAddresses(network, target, signal), wanted.timeoutMs);
    reached.addresses = await waitWithoutPlace(find);
    signal.throwIfAborted();
    return await waitWithoutPlace(() => speak(network, { ...wanted, target, reached, signal }));
  } catch (error) {
    const known = wanted.signal?.aborted ? failed("stopped", error) : toOutboundError(error);
    if (known instanceof OutboundError) known.reached = reached;
    throw known;
  }
}

/** Looks the name up once: a second look could tell another address than the one that was checked. */
async function findAddresses(network: OutboundNetwork, target: Target, signal: AbortSignal) {
  const addresses = await listAddresses(network, target, signal);
  if (addresses.length === 0) throw failed("unresolved");
  if (target.isAllowed || addresses.every(isPublicAddress)) return addresses;
  throw new OutboundError("not_public", "The name of the host leads to an address that is not public.");
}

async function listAddresses(network: OutboundNetwork, { host, isAllowed }: Target, signal: AbortSignal) {
  if (isIP(host) !== 0) return [host];
  return isAllowed ? await network.listLocalAddresses(host) : await network.listAddresses(host, signal);
}

interface Addressed extends OutboundRequest {
  target: Target;
  reached: Reached;
  signal: AbortSignal;
}

function speak(network: OutboundNetwork, wanted: Addressed): Promise<OutboundAnswer> {
  const { target, reached, method, body, mostBytes, signal } = wanted;
  const [address = ""] = reached.addresses;
  return new Promise((resolve, reject) => {
    const asked = request({
      method,
      path: target.path,
      host: target.host,
      headers: headersOf(wanted),
      // An agent would resolve the name again and could use a proxy.
      createConnection: () =>
        network
          .connect({ ...target, address })
          .once(target.isSecure ? "secureConnect" : "connect", () =>
            Object.assign(reached, { isConnected: true }),
          ),
      maxHeaderSize: MOST_HEAD_BYTES,
      signal,
    });
    const end = (settle: () => void) => {
      settle();
      asked.destroy();
    };
    asked.on("error", (error) => end(() => reject(error)));
    asked.on("upgrade", () => end(() => reject(failed("broken_answer"))));
    asked.on("close", () => reject(failed("connection_failed")));
    asked.on("response", (response) => {
      readAnswer(response, mostBytes).then(
        (answer) => end(() => resolve({ ...answer, addresses: reached.addresses })),
        (error) => end(() => reject(error)),
      );
    });
    asked.end(body);
  });
}

function headersOf({ target, headers, body }: Addressed): Record<string, string | number> {
  const own = {
    host: target.authority,
    "user-agent": `Broadsheet/${VERSION}`,
    "accept-encoding": "identity",
    connection: "close",
  };
  if (body === undefined) return { ...headers, ...own };
  return { ...headers, ...own, "content-length": Buffer.byteLength(body) };
}

/** An answer as it came: what is compressed stays so. */
async function readAnswer(response: IncomingMessage, mostBytes: number) {
  const { statusCode: status = 0, headers } = response;
  if (mostBytes === 0) return { status, headers, body: Buffer.alloc(0) };
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostBytes) throw failed("too_large");
    parts.push(part);
  }
  return { status, headers, body: Buffer.concat(parts) };
}
