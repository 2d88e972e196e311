import { AsyncLocalStorage } from "node:async_hooks";
import { context, propagation } from "@opentelemetry/api";
import type { Jobs } from "../jobs/queue.ts";

/** Whose request all this is done for; jobs that it rings carry it on. */
export interface RequestContext {
  requestId: string;
}

const causes = new AsyncLocalStorage<RequestContext>();

/** Runs work on behalf of a request: what it logs names the request, and so do the jobs that it rings. */
export function withRequestContext<T>(cause: RequestContext | null, work: () => T): T {
  return cause === null ? work() : causes.run(cause, work);
}

/** The request behind what runs now; undefined for work that the clock started. */
export function currentRequestContext(): RequestContext | undefined {
  return causes.getStore();
}

/** The same engine, whose jobs carry the request that rang for them and its trace, where there is one. */
export function carryRequestContext(jobs: Jobs): Jobs {
  return {
    ...jobs,
    enqueue: (tx, name, payload) => {
      const requestId = currentRequestContext()?.requestId;
      const { traceparent } = injectTrace();
      const known = {
        ...(requestId !== undefined && { request_id: requestId }),
        ...(traceparent !== undefined && { traceparent }),
      };
      return jobs.enqueue(tx, name, { ...known, ...payload });
    },
  };
}

function injectTrace(): { traceparent?: string } {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}
