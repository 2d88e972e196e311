import type { FastifyReply, FastifyRequest } from "fastify";
import type { RouteContext } from "../http/context.ts";
import type { Bucket } from "../http/hooks/rate-limits.ts";
import { countPublicRequest } from "../http/public-route.ts";
import { findAgentId } from "./find-agent.ts";
import type { Tool } from "./tool.ts";

const buckets = new WeakMap<Tool, Bucket>();

/**
 * Counts a call of a public tool before its arguments are read, so that a caller over its limit makes no work of them.
 * Gives the agent that it counts towards; throws `rate_limited`.
 */
export async function countPublicCall(
  { context, request, reply }: { context: RouteContext; request: FastifyRequest; reply: FastifyReply },
  tool: Tool,
): Promise<string | null> {
  const bucket = buckets.get(tool) ?? findBucket(context, tool);
  buckets.set(tool, bucket);
  const agentId = await findAgentId(context, request);
  await countPublicRequest(context, bucket, { agentId, address: request.ip }, reply);
  return agentId;
}

function findBucket({ routes }: RouteContext, { name, request }: Tool): Bucket {
  const shapeOf = (path: string) => path.replace(/:\w+/g, ":");
  const path = shapeOf(request.path);
  const route = routes.find(({ method, url }) => method === request.method && shapeOf(url) === path);
  if (route === undefined) throw new Error(`the tool ${name} runs a request that no route answers`);
  return route.bucket;
}
