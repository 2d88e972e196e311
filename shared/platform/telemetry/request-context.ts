import { AsyncLocalStorage } from "node:async_hooks";
import { context, propagation } from "@opentelemetry/api";
import type { Jobs, NamedJob } from "../jobs/queue.ts";

/** The request behind work; the jobs that the work enqueues carry it on. */
export interface RequestContext {
  requestId: string;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Runs work for a request, which the work's log lines and jobs then name. */
export function withRequestContext<T>(request: RequestContext | null, work: () => T): T {
  return request === null ? work() : contexts.run(request, work);
}

/** The request behind the current work; undefined for work that the clock started. */
export function currentRequestContext(): RequestContext | undefined {
  return contexts.getStore();
}

/** The same engine with jobs that carry the request that enqueued them, and its trace if there is one. */
export function carryRequestContext(jobs: Jobs): Jobs {
  return {
    ...jobs,
    enqueue: (tx, all) => {
      const request = describeRequest();
      const carrying = all.map((job) => ({ ...job, payload: { ...request, ...job.payload } }) as NamedJob);
      return jobs.enqueue(tx, carrying);
    },
  };
}

/** The members of a job's payload that tell the current request and its trace. */
function describeRequest() {
  const requestId = currentRequestContext()?.requestId;
  const { traceparent } = injectTrace();
  return {
    ...(requestId !== undefined && { request_id: requestId }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

function injectTrace(): { traceparent?: string } {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}
