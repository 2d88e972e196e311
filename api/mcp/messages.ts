import type { IncomingHttpHeaders } from "node:http";
import {
  classifyInboundRequest,
  type InboundModernRoute,
  type PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import { refuseName } from "../../shared/ground/nearest-name.ts";
import { keepDigits } from "../../shared/ground/raw-json.ts";
import { isRecord } from "../../shared/requests/read-body.ts";
import { readJson } from "../http/hooks/json-bodies.ts";

export const MODERN_VERSIONS = ["2026-07-28"] as const;
/** Newest first; a client that asks for another version is answered with the first. */
export const LEGACY_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;

export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  notFound: -32011,
  forbidden: -32012,
  exhausted: -32013,
  unsupported: -32014,
  callback: -32015,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export type Era = "modern" | "legacy";
export type Params = Record<string, unknown>;

/** A refusal of the protocol, as a JSON-RPC error; refusals of tools are results. */
export class RpcError extends Error {
  override name = "RpcError";
  readonly code: number;
  readonly httpStatus: number;
  readonly data: unknown;
  constructor(code: number, message: string, more: { httpStatus?: number; data?: unknown } = {}) {
    super(message);
    this.code = code;
    this.httpStatus = more.httpStatus ?? 200;
    this.data = more.data;
  }
}

/** The refusal of a name that there is not, with the nearest and those that there are. */
export function noName(name: unknown, kind: string, known: readonly string[], taker = "server"): RpcError {
  if (name === undefined) return new RpcError(RPC.invalidParams, `The name of the ${kind} is required.`);
  return new RpcError(
    RPC.invalidParams,
    refuseName(typeof name === "string" ? name : `${JSON.stringify(name)}`, { kind, taker }, known),
  );
}

/** One message as it came in. */
export type Message =
  | { kind: "request"; era: Era; id: string | number; method: string; params: Params }
  /** A notification or an answer, which gets no reply. */
  | { kind: "notice" };

/** The value of a message's body; the numbers of a tool's arguments stay as they are written. */
export function readMessageBody(body: Buffer): unknown {
  const message = readJson(body);
  if (!isRecord(message) || !isRecord(message.params) || !isRecord(message.params.arguments)) return message;
  const exact = readJson(body, { revive: keepDigits }) as { params: Params };
  return { ...message, params: { ...message.params, arguments: exact.params.arguments } };
}

const NO_MESSAGE =
  'This is no JSON-RPC message: send jsonrpc "2.0", a method, its params as an object, and as id a text or a whole number, and nothing else.';

/** Reads one message of either era; throws RpcError for an invalid one (contract section 6, Transport). */
export function readMessage(body: unknown, headers: IncomingHttpHeaders): Message {
  if (body === undefined) throw new RpcError(RPC.parse, "The body is empty; send one JSON-RPC message.", BAD);
  if (Array.isArray(body)) {
    throw new RpcError(RPC.invalidRequest, "Send one message a request; batches are not read.", BAD);
  }
  const standard = readStandardHeaders(headers);
  const route = classifyInboundRequest({ httpMethod: "POST", ...standard, body });
  if (route.kind === "reject") {
    const { code, httpStatus, data } = route;
    // An unsupported version is reported first, whatever else its envelope lacks.
    checkClaimedVersion(body);
    checkNamedVersion(standard.protocolVersionHeader);
    const message = code === RPC.invalidRequest ? NO_MESSAGE : route.message;
    throw new RpcError(code, message, { httpStatus, data });
  }
  if (route.kind === "legacy") return readLegacy(body as LegacyBody, route.reason, headers);
  checkVersion(route.classification.revision, MODERN_VERSIONS);
  if (route.messageKind === "notification") return { kind: "notice" };
  checkStandardHeaders(route, standard);
  const { id, method, params = {} } = route.message;
  return { kind: "request", era: "modern", id, method, params };
}

const BAD = { httpStatus: 400 };

interface LegacyBody {
  id?: string | number;
  method?: string;
  params?: Params;
}

function readLegacy(body: LegacyBody, reason: string, headers: IncomingHttpHeaders): Message {
  const { id, method, params = {} } = body;
  if (id === undefined || method === undefined) return { kind: "notice" };
  const version = headers["mcp-protocol-version"];
  if (reason === "no-claim" && version !== undefined) checkVersion(String(version).trim(), LEGACY_VERSIONS);
  return { kind: "request", era: "legacy", id, method, params };
}

const VERSION_KEY: typeof PROTOCOL_VERSION_META_KEY = "io.modelcontextprotocol/protocolVersion";

function checkClaimedVersion(body: unknown): void {
  const meta = (body as { params?: { _meta?: Params } } | null)?.params?._meta;
  const claimed = meta?.[VERSION_KEY];
  if (typeof claimed === "string") checkNamedVersion(claimed);
}

function checkNamedVersion(version: string | undefined): void {
  if (version !== undefined) checkVersion(version.trim(), [...MODERN_VERSIONS, ...LEGACY_VERSIONS]);
}

function checkVersion(version: string | undefined, spoken: readonly string[]): void {
  if (version !== undefined && spoken.includes(version)) return;
  const data = { supported: [...MODERN_VERSIONS, ...LEGACY_VERSIONS], requested: version ?? "none" };
  throw new RpcError(RPC.unsupportedVersion, "This protocol version is not spoken here.", { ...BAD, data });
}

function readStandardHeaders(headers: IncomingHttpHeaders) {
  const read = (name: string) => (headers[name] === undefined ? undefined : String(headers[name]));
  return {
    protocolVersionHeader: read("mcp-protocol-version"),
    mcpMethodHeader: read("mcp-method"),
    mcpNameHeader: read("mcp-name"),
  };
}

const NAMED_BY: Partial<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** Checks that the three headers are there, and the name; the classifier has compared the other two. */
function checkStandardHeaders(
  { message }: Extract<InboundModernRoute, { messageKind: "request" }>,
  headers: ReturnType<typeof readStandardHeaders>,
): void {
  if (headers.protocolVersionHeader === undefined) throw mismatch("MCP-Protocol-Version", "is missing");
  if (headers.mcpMethodHeader === undefined) throw mismatch("Mcp-Method", "is missing");
  const field = Object.hasOwn(NAMED_BY, message.method) ? NAMED_BY[message.method] : undefined;
  const named = field === undefined ? undefined : message.params?.[field];
  if (typeof named !== "string") return;
  if (headers.mcpNameHeader === undefined) throw mismatch("Mcp-Name", "is missing");
  if (decodeName(headers.mcpNameHeader.trim()) !== named)
    throw mismatch("Mcp-Name", `differs from params.${field}`);
}

function mismatch(header: string, what: string): RpcError {
  return new RpcError(RPC.headerMismatch, `The header ${header} ${what}.`, { ...BAD, data: { header } });
}

/** A name that no header can carry travels in Base64 (SEP-2243). */
function decodeName(value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("utf8");
}
