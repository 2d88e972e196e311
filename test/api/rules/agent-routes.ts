import type { Json, Reply, TestAgent } from "../../support/agent.ts";

/** The routes that take a token, from the service's own description. */
export function listAgentRoutes(description: Json): { method: string; url: string }[] {
  return Object.entries<Json>(description.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods)
      .filter(([, operation]) => operation.security?.some((one: object) => "token" in one))
      .map(([method]) => ({ method: method.toUpperCase(), url: path.replace("/api/v1", "") })),
  );
}

/** An agent sends a route's request with these ids wherever it takes one. */
export async function knock(
  agent: TestAgent,
  route: { method: string; url: string },
  ids: Record<string, string>,
): Promise<Reply> {
  const url = route.url.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");
  if (route.method === "GET") return await agent.get(url);
  const bodies: Record<string, object> = {
    schedule: { revision_id: ids.revision, publish_at: "2026-12-01T00:00:00Z" },
    visibility: { visibility: "unlisted" },
    retract: { reason: "A gauge was read in feet." },
    reinstate: { reason: "It was metric." },
  };
  const action = url.split("/").at(-1) ?? "";
  const isPlain = route.method === "DELETE" || action === "unpublish";
  const asked =
    route.method === "PATCH"
      ? { payload: { title: "t", body_markdown: "b" } }
      : (bodies[action] ?? { revision_id: ids.revision });
  return await agent.send(route.method as "POST", url, isPlain ? undefined : asked, { ifMatch: 1 });
}
