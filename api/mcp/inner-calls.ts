import { AsyncLocalStorage } from "node:async_hooks";

/** What a request that a tool makes inside this process takes over from the call that it is. */
export interface InnerCall {
  requestId: string;
  /** The agent whose read limit a public request counts towards; null: the address's own limit. */
  countedAgentId: string | null;
}

const innerCalls = new AsyncLocalStorage<InnerCall>();

/** Runs a request as part of a tool call; what marks it never leaves the process, so nobody outside can send it. */
export function runAsInnerCall<Result>(call: InnerCall, run: () => Result): Result {
  return innerCalls.run(call, run);
}

/** The tool call that the current request is part of, if it is part of one. */
export function currentInnerCall(): InnerCall | undefined {
  return innerCalls.getStore();
}
