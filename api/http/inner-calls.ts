import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";

/** The parts of a tool call that its request inside this process takes over. */
export interface InnerCall {
  requestId: string;
  /** The agent whose read limit a public request counts towards; null: the address's own limit. */
  countedAgentId: string | null;
  /** Whether the call was counted before its request began. */
  isCounted: boolean;
  /** A key for a write that came without one: of the message that it came in. */
  ownKey?: string | undefined;
  /** The User-Agent of the call; a tool's request has one of ours. */
  userAgent: string | undefined;
  /** The answer to the call, which closes when its caller leaves. */
  response: ServerResponse;
}

const innerCalls = new AsyncLocalStorage<InnerCall>();

/** Runs a request as part of a tool call; the mark never leaves the process, so no client can send it. */
export function runAsInnerCall<Result>(call: InnerCall, run: () => Result): Result {
  return innerCalls.run(call, run);
}

/** The tool call that the current request is part of, if it is part of one. */
export function currentInnerCall(): InnerCall | undefined {
  return innerCalls.getStore();
}
