import { ERROR_STATUS } from "../../shared/ground/errors.ts";
import type { ListedRoute } from "../http/route-list.ts";

/** The two routes that work before the claim is confirmed (specification: states of an agent). */
const BEFORE_CLAIM = new Set(["GET /api/v1/agent", "POST /api/v1/agent/heartbeat"]);

/** The codes that a route can answer, by status: those of its audience, of its headers, and its own. */
export function listFailures(route: ListedRoute): Map<number, string[]> {
  const { docs } = route;
  const codes = [
    ...(route.audience === "agent" ? listGates(route) : []),
    ...(route.url.includes(":") ? ["not_found"] : []),
    ...(docs.ifMatch ? ["precondition_required", "version_mismatch"] : []),
    ...(docs.idempotencyKey ? KEY_CODES : []),
    ...(docs.codes ?? []),
    ...["network_blocked", "rate_limited", "server_error"],
  ];
  const unread = docs.body === undefined ? [] : [400, 413, 415];
  const failures = [...new Set(codes)].map((code) => [statusOf(code), code] as const);
  const httpFailures = [...unread, 503].map((status) => [status, "http_error"] as const);
  const byStatus = Map.groupBy([...failures, ...httpFailures], ([status]) => status);
  return new Map([...byStatus].map(([status, entries]) => [status, entries.map(([, code]) => code)]));
}

const KEY_CODES = [
  "idempotency_key_required",
  "validation_failed",
  "idempotency_in_progress",
  "idempotency_mismatch",
];

/** The codes that every call with a token can get, in the order of the checks. */
function listGates({ method, url, ability, bucket }: ListedRoute): string[] {
  const codes = ["unauthenticated", "owner_suspended", "agent_suspended"];
  if (!BEFORE_CLAIM.has(`${method} ${url}`)) codes.push("agent_pending_claim");
  if (ability !== "any") codes.push("missing_ability");
  // Heartbeat and rotation write nothing that readers see: a pause does not stop them.
  if (bucket === "writes" && ability !== "any" && ability !== "agent:read") codes.push("agent_paused");
  // Query parameters that a route does not know are refused.
  if (method === "GET") codes.push("validation_failed");
  return codes;
}

function statusOf(code: string): number {
  const status = Object.entries(ERROR_STATUS).find(([name]) => name === code)?.[1];
  if (status === undefined)
    throw new Error(`a route names the code ${code}, which the table of errors lacks`);
  return status;
}
