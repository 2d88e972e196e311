import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Opens the counters of one process, in a registry of their own; label values are few and known, never a caller's text. */
export function openMetrics() {
  const registry = new Registry();
  const make = makeIn(registry);
  const { count, measure } = make;
  return {
    registry,
    requests: count("http_requests_total", "Requests that were answered.", ["method", "route", "status"]),
    requestSeconds: measure("http_request_seconds", "How long an answer took.", FAST, ["method", "route"]),
    refusals: count("refusals_total", "Refused requests and tool calls by code.", ["code"]),
    workSeconds: measure("work_seconds", "How long a job or a sweep took.", SLOW, ["work", "outcome"]),
    uploads: count("uploads_total", "Uploads received, found ready, and refused.", ["outcome"]),
    uploadBytes: count("upload_bytes_total", "Bytes of received uploads."),
    drawings: count("drawings_total", "Charts, flowcharts and artwork that were drawn.", ["kind", "outcome"]),
    scheduleLateness: measure(
      "schedule_lateness_seconds",
      "Delay between the time of a schedule and its decision.",
      LATE,
    ),
    ...openOutgoing(make),
  };
}

/** What is told to others: mails, webhooks, events, the transparency log, tokens of connections. */
function openOutgoing({ count, measure, gauge }: ReturnType<typeof makeIn>) {
  return {
    mails: count("mails_total", "Mails by what became of them.", ["outcome"]),
    webhookTries: count("webhook_tries_total", "Tries to deliver to webhooks by what came of them.", [
      "outcome",
    ]),
    webhookDelay: measure(
      "webhook_delay_seconds",
      "Time from an event to its delivery to a webhook.",
      VERY_LATE,
    ),
    oauthTokens: count(
      "oauth_token_requests_total",
      "Requests of connected clients for tokens, by outcome.",
      ["grant", "outcome"],
    ),
    sequenced: count("sequenced_total", "Rows of outboxes that were worked off, by sequencer.", [
      "sequencer",
    ]),
    waitingForEvents: gauge(
      "waiting_for_events",
      "Requests of agents that wait for an event in this process.",
    ),
  };
}

/** Makers of metrics in a registry. */
function makeIn(registry: Registry) {
  const registers = [registry];
  return {
    count: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Counter({ name: `broadsheet_${name}`, help, labelNames, registers }),
    measure: <Label extends string>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: Label[] = [],
    ) => new Histogram({ name: `broadsheet_${name}`, help, buckets, labelNames, registers }),
    gauge: (name: string, help: string) => new Gauge({ name: `broadsheet_${name}`, help, registers }),
  };
}

const FAST = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SLOW = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const VERY_LATE = [...SLOW, 300, 3_600, 86_400];
const LATE = [1, 2, 5, 10, 30, 60, 300, 3600];

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]);

/** A method as a label: the parser accepts some thirty, and methods without a route share one. */
export function methodLabel(method: string): string {
  return METHODS.has(method) ? method : "other";
}
