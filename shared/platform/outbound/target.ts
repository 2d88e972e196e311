import { isIP } from "node:net";
import type { Purpose } from "./allowed-hosts.ts";
import { isPublicAddress } from "./closed-networks.ts";
import { OutboundError } from "./outbound-error.ts";

const HTTPS_PORT = 443;
const HTTP_PORT = 80;
const CLOSED_CHARACTER = /[\u0000-\u0020\u007f-\u00a0\\]|\p{White_Space}/u;

/** An address that may be spoken to. */
export interface Target {
  /** Name or address of the host, without brackets. */
  host: string;
  port: number;
  isSecure: boolean;
  /** Whether operators except this place from the rules. */
  isAllowed: boolean;
  /** The Host header. */
  authority: string;
  /** Path and query. */
  path: string;
}

/**
 * Reads an address of the outside; throws `refused_address` unless it is https at port 443, without credentials, and
 * of no private address, or one of those that operators allow for the purpose.
 */
export function readTarget(
  allowed: ReadonlySet<string>,
  { purpose, url: text }: { purpose: Purpose; url: string },
): Target {
  if (CLOSED_CHARACTER.test(text)) throw refuse("must hold no blank, backslash or control character");
  const url = URL.parse(text);
  const isSecure = url?.protocol === "https:";
  if (url === null || !(isSecure || url.protocol === "http:")) throw refuse("must begin with https://");
  if (url.username !== "" || url.password !== "") throw refuse("must hold no user name or password");
  const port = url.port === "" ? (isSecure ? HTTPS_PORT : HTTP_PORT) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  const opened = `${purpose} ${url.hostname}:${port}`;
  const isAllowed = allowed.has(opened) || allowed.has(`${opened}${url.pathname}`);
  const target = { host, port, isSecure, isAllowed, authority: url.host, path: url.pathname + url.search };
  if (isAllowed) return target;
  if (!isSecure) throw refuse("must begin with https://");
  if (port !== HTTPS_PORT) throw refuse("must name no other port than 443");
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw refuse("must not lead to a private or local address");
  return target;
}

function refuse(rule: string): OutboundError {
  return new OutboundError("refused_address", `The address ${rule}.`);
}
