import type { MetricValueWithName, Registry } from "prom-client";

/** Counts and times the answers of one process by method, route and status. */
export interface RequestTimes {
  add(method: string, route: string, status: number, seconds: number): void;
}

const COUNTED = {
  name: "broadsheet_http_requests_total",
  help: "Requests that were answered.",
  labelNames: ["method", "route", "status"],
};
const TIMED = {
  name: "broadsheet_http_request_seconds",
  help: "How long an answer took.",
  labelNames: ["method", "route"],
};
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Tally {
  count: number;
  sumSeconds: number;
  /** Answers up to each bound and above the one before it; the last above all. */
  upTo: number[];
}

/** By route, then method, then status: nothing has to be put together, sorted or hashed at an answer. */
type Tallies = Map<string, Map<string, Map<number, Tally>>>;

/**
 * Opens the counts in a registry. An answer adds to plain numbers, and only a scrape makes metrics of them: counters
 * that find their labels anew at each answer took a twentieth of what a cached page costs.
 */
export function openRequestTimes(registry: Registry): RequestTimes {
  const tallies: Tallies = new Map();
  register(registry, "counter", COUNTED, () => listCounts(tallies));
  register(registry, "histogram", TIMED, () => listTimes(tallies));
  return {
    add(method, route, status, seconds) {
      const tally = tallies.get(route)?.get(method)?.get(status) ?? openTally(tallies, method, route, status);
      tally.count++;
      tally.sumSeconds += seconds;
      const place = BOUNDS.findIndex((bound) => seconds <= bound);
      const bucket = place === -1 ? BOUNDS.length : place;
      tally.upTo[bucket] = (tally.upTo[bucket] ?? 0) + 1;
    },
  };
}

function openTally(tallies: Tallies, method: string, route: string, status: number): Tally {
  const methods = tallies.get(route) ?? new Map<string, Map<number, Tally>>();
  tallies.set(route, methods);
  const statuses = methods.get(method) ?? new Map<number, Tally>();
  methods.set(method, statuses);
  const tally = { count: 0, sumSeconds: 0, upTo: new Array(BOUNDS.length + 1).fill(0) };
  statuses.set(status, tally);
  return tally;
}

function* listStatuses(tallies: Tallies) {
  for (const [route, methods] of tallies) {
    for (const [method, statuses] of methods) yield { labels: { method, route }, statuses };
  }
}

function listCounts(tallies: Tallies): Value[] {
  return [...listStatuses(tallies)].flatMap(({ labels, statuses }) =>
    [...statuses].map(([status, { count }]) => ({
      labels: { ...labels, status: String(status) },
      value: count,
    })),
  );
}

function listTimes(tallies: Tallies): Value[] {
  return [...listStatuses(tallies)].flatMap(({ labels, statuses }) => {
    const all = [...statuses.values()];
    const sum = (part: (tally: Tally) => number) => all.reduce((total, tally) => total + part(tally), 0);
    let upTo = 0;
    const buckets = BOUNDS.map((le, place) => {
      upTo += sum((tally) => tally.upTo[place] ?? 0);
      return { metricName: `${TIMED.name}_bucket`, labels: { le, ...labels }, value: upTo };
    });
    const count = sum((tally) => tally.count);
    return [
      ...buckets,
      { metricName: `${TIMED.name}_bucket`, labels: { le: "+Inf", ...labels }, value: count },
      { metricName: `${TIMED.name}_sum`, labels, value: sum((tally) => tally.sumSeconds) },
      { metricName: `${TIMED.name}_count`, labels, value: count },
    ];
  });
}

type Value = Omit<MetricValueWithName<string>, "metricName"> & { metricName?: string };

/** A registry asks its metrics for nothing but what `get` gives, though its types want one of its own classes. */
function register(
  registry: Registry,
  kind: "counter" | "histogram",
  { name, help, labelNames }: typeof COUNTED,
  list: () => Value[],
): void {
  const get = async () => ({ name, help, type: kind, aggregator: "sum", values: list() });
  type Registered = Parameters<Registry["registerMetric"]>[0];
  // Its labels are told as its own classes tell theirs, for whoever asks before anything was counted.
  const metric: { name: string; labelNames: string[]; get(): Promise<unknown> } = { name, labelNames, get };
  registry.registerMetric(metric as unknown as Registered);
}
