import { findSingleLineFault, removeUnseen, shortenText } from "../../ground/text.ts";
import { DAY_MS, MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import { type OutboundAnswer, sendRequest } from "../../platform/outbound/send-request.ts";
import { isRecord } from "../../requests/read-body.ts";
import { OAuthError } from "./parameters.ts";
import { readRedirect } from "./redirects.ts";

const FETCH = { purpose: "client", timeoutMs: 5_000, mostBytes: 5 * 1024 } as const;
const MOST_ADDRESS_CHARACTERS = 2048;
const MOST_REDIRECTS = 20;
/** How long a document is taken as it is: as its cache headers say, within these bounds. */
const FRESH_MS = { least: 30_000, usual: 5 * MINUTE_MS, most: DAY_MS } as const;

/**
 * Whether an id is the address of a document (OAuth Client ID Metadata Document): with a path, and without credentials,
 * a fragment or steps to other folders. Only operators' exceptions may be http.
 */
export function isDocumentAddress(id: string): boolean {
  if (id.length > MOST_ADDRESS_CHARACTERS || !/^https?:\/\/[\x21-\x7e]+$/.test(id) || /[\\#]/.test(id))
    return false;
  const url = URL.parse(id);
  // An address that is not spelt as parsers spell it may have steps such as /../ in it.
  return (
    url !== null && url.href === id && url.pathname !== "/" && url.username === "" && url.password === ""
  );
}

/** Reads a client's document at its address; throws `invalid_client` for one that cannot be read or says something else. */
export async function readClientDocument(deps: Deps, address: string) {
  const answer = await fetchDocument(deps, address);
  if (answer.status !== 200) {
    throw refuseDocument(
      `answered with status ${answer.status}; it has to answer with 200, without a redirect`,
    );
  }
  const document = parseObject(answer.body);
  if (document === null) throw refuseDocument("is no JSON object");
  const {
    client_id: id,
    client_name: name,
    redirect_uris: sent,
    token_endpoint_auth_method: method,
  } = document;
  if (id !== address) throw refuseDocument("has another client_id than its own address");
  if (typeof method === "string" && method.startsWith("client_secret")) {
    throw refuseDocument("asks for a client secret, which a public document cannot have");
  }
  const redirect_uris = readRedirects(sent);
  if (redirect_uris.length === 0) throw refuseDocument("names no redirect address that may be used");
  const fallback = new URL(address).hostname;
  return {
    name: readClientName(name) ?? fallback,
    redirect_uris,
    fresh_until: deps.now() + readFreshness(answer.headers),
  };
}

async function fetchDocument(deps: Deps, url: string): Promise<OutboundAnswer> {
  try {
    const headers = { accept: "application/json" };
    return await sendRequest(deps.outboundNetwork, { url, method: "GET", headers, ...FETCH });
  } catch (error) {
    if (error instanceof OutboundError)
      throw refuseDocument(`could not be read. ${error.message.slice(0, -1)}`);
    throw error;
  }
}

function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function readRedirects(sent: unknown): string[] {
  if (!Array.isArray(sent)) return [];
  return sent
    .slice(0, MOST_REDIRECTS)
    .filter((uri): uri is string => typeof uri === "string" && readRedirect(uri) !== null);
}

function readFreshness({ "cache-control": control = "", age }: OutboundAnswer["headers"]): number {
  if (/\bno-(?:store|cache)\b/i.test(control)) return FRESH_MS.least;
  const seconds = /\bmax-age\s*=\s*"?(\d{1,9})/i.exec(control)?.[1];
  if (seconds === undefined) return FRESH_MS.usual;
  const spent = /^\d{1,9}$/.test(age ?? "") ? Number(age) : 0;
  return Math.min(FRESH_MS.most, Math.max(FRESH_MS.least, (Number(seconds) - spent) * 1000));
}

function refuseDocument(what: string): OAuthError {
  return new OAuthError("invalid_client", `The document that describes this client ${what}.`);
}

/** The most of a name that an owner is shown. */
const NAME_CHARACTERS = 60;

/** A client's own name for itself as an owner may see it: one short line of letters that can be seen; null for none. */
export function readClientName(name: unknown): string | null {
  if (typeof name !== "string" || !name.isWellFormed()) return null;
  const line = shortenText(
    removeUnseen(name.slice(0, 1000).replace(/[\p{Cc}\s]+/gu, " ")).trim(),
    NAME_CHARACTERS,
  );
  return line === "" || findSingleLineFault(line) !== null ? null : line;
}
