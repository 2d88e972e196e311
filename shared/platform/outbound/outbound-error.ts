/** Why nothing came of a request to the outside; few and known, for metrics and for what owners read. */
export type OutboundFailure =
  | "refused_address"
  | "unresolved"
  | "not_public"
  | "connection_failed"
  | "tls_failed"
  | "timed_out"
  | "too_large"
  | "broken_answer"
  | "stopped";

/** How far a request came: the addresses to which the name of the host leads, and whether one took the connection. */
export interface Reached {
  addresses: readonly string[];
  /** After the handshake of TLS, where there is one. */
  isConnected: boolean;
}

/** A request to the outside that has no answer; its message is ours and may be shown. */
export class OutboundError extends Error {
  override name = "OutboundError";
  readonly failure: OutboundFailure;
  /** How far the request came. */
  reached: Reached = { addresses: [], isConnected: false };

  constructor(failure: OutboundFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
  }
}

const MESSAGES = {
  connection_failed: "The host refused the connection or ended it.",
  tls_failed: "The host has no valid certificate for its name.",
  timed_out: "The host did not answer in time.",
  too_large: "The answer is longer than it may be.",
  broken_answer: "The host did not answer in HTTP/1.1.",
  unresolved: "The name of the host could not be resolved.",
  stopped: "This service stopped before the answer came.",
} as const;

/** The error of a failure that is told in the same words for every address. */
export function failed(failure: keyof typeof MESSAGES, cause?: unknown): OutboundError {
  return new OutboundError(failure, MESSAGES[failure], cause);
}

const TLS_CODE =
  /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|PATH_LENGTH_|HOSTNAME_)/;
const DNS_SYSCALL = /^(?:query|getaddrinfo)/;
const ABORTED = new Set(["AbortError", "TimeoutError"]);

/** What an error of the network, of TLS or of the parser means; errors of this code stay what they are. */
export function toOutboundError(error: unknown): unknown {
  if (error instanceof OutboundError || !(error instanceof Error)) return error;
  if (ABORTED.has(error.name)) return failed("timed_out", error);
  if (!("code" in error) || error instanceof TypeError || error instanceof RangeError) return error;
  const code = String(error.code);
  if ("syscall" in error && DNS_SYSCALL.test(String(error.syscall))) return failed("unresolved", error);
  if (TLS_CODE.test(code)) return failed("tls_failed", error);
  if (code === "HPE_HEADER_OVERFLOW") return failed("too_large", error);
  return failed(code.startsWith("HPE_") ? "broken_answer" : "connection_failed", error);
}
