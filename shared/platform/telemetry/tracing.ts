import {
  context,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { nameStatement } from "../../../sql/connection/statement-names.ts";
import { describeError } from "./describe-error.ts";

// Without an SDK that an operator preloads, every call here does nothing.
const tracer = trace.getTracer("broadsheet");

/** Whether an operator preloaded an SDK: spans are worth their cost only then. */
export function hasTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer("broadsheet") !== undefined;
}

/**
 * Begins the span of a request. It names the route and never the address, since some addresses carry a
 * secret.
 */
export function startRequestSpan(method: string, route: string): Span {
  const attributes = { "http.request.method": method, "http.route": route };
  return tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes });
}

/** Runs work inside a span that has begun. */
export function insideSpan<T>(span: Span | undefined, work: () => T): T {
  return span === undefined ? work() : context.with(trace.setSpan(context.active(), span), work);
}

/** Ends the span of a request with the status of its answer. */
export function endRequestSpan(span: Span, status: number): void {
  span.setAttribute("http.response.status_code", status);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Runs a job or a sweep in a span of its own, the child of the request that enqueued it. */
export async function traceWork<T>(
  name: string,
  traceparent: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const parent =
    traceparent === undefined ? context.active() : propagation.extract(context.active(), { traceparent });
  return await tracer.startActiveSpan(name, { kind: SpanKind.CONSUMER }, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      const { type, message, stack } = describeError(error);
      span.recordException({ name: type, message, stack });
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/**
 * Sends a statement in a span of its own, under the current request or job; without a recorded span it only
 * sends. The span names the function that writes the statement and holds no text, as errors may repeat a
 * caller's.
 */
export async function traceStatement<T>(text: string, send: () => Promise<T>): Promise<T> {
  if (!trace.getActiveSpan()?.isRecording()) return await send();
  const name = nameStatement(text);
  const attributes = { "db.system.name": "postgresql", "db.query.summary": name };
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  try {
    return await send();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
