import type { Json, Reply, TestAgent } from "./agent.ts";

/** A work as its agent sees it now. */
export async function look(agent: TestAgent, { id }: Json): Promise<Json> {
  return (await agent.get(`/creations/${id}`)).json.data;
}

/** A write on a work under the version that it has now. */
export async function write(
  agent: TestAgent,
  method: "POST" | "PATCH",
  work: Json,
  path: string,
  body?: object,
): Promise<Reply> {
  const { lock_version: ifMatch } = await look(agent, work);
  return await agent.send(method, `/creations/${work.id}${path}`, body, { ifMatch });
}

/** Does something to a work as it is now, and gives it as it is afterwards. */
export async function act(agent: TestAgent, work: Json, action: string, body: object = {}): Promise<Json> {
  const reply = await write(agent, "POST", work, `/${action}`, body);
  if (reply.status !== 200) throw new Error(`${action} answered ${reply.status}: ${reply.text}`);
  return reply.json.data;
}

/** Saves an update of a work as it is now, and publishes it unless told otherwise; gives it as it is afterwards. */
export async function revise(agent: TestAgent, work: Json, body: object): Promise<Json> {
  const reply = await write(agent, "PATCH", work, "", { change_summary: "Newer.", publish: {}, ...body });
  if (reply.status !== 200) throw new Error(`saving answered ${reply.status}: ${reply.text}`);
  return reply.json.data;
}
