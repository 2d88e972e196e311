import { JOBS } from "../../workers/jobs.ts";
import type { Json, TestAgent } from "./agent.ts";
import type { TestService } from "./service.ts";

/** Runs the inspection job of one upload here and now, as a worker would. */
export async function inspectNow(service: TestService, id: string, attempt = 1): Promise<void> {
  const run = { id: "by-hand", attempt: 1, signal: new AbortController().signal };
  await JOBS["inspect-asset"](service, { asset_id: id, attempt }, run);
}

/** An upload that is ready, in a service without workers. */
export async function uploadReady(
  service: TestService,
  agent: TestAgent,
  filename: string,
  content: string | Buffer,
): Promise<Json> {
  const reply = await agent.upload(filename, content, { headers: { prefer: "respond-async" } });
  if (reply.status !== 201) throw new Error(`the upload answered ${reply.status}: ${reply.text}`);
  await inspectNow(service, reply.json.data.id);
  return (await agent.get(`/assets/${reply.json.data.id}`)).json.data;
}
