import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { listWitnessKeys } from "../../shared/trust/witness/witnessed-logs.ts";
import { closeAfterwards } from "./close-afterwards.ts";
import { openService } from "./service.ts";

/** What a host says in place of its witness. */
export type Answer = { status: number; body: string };

/** A real witness behind a host that may answer in its place. */
export async function openWitness(name: string) {
  const service = await openService({
    workers: false,
    config: { isWitness: true, siteUrl: `https://${name}.example` },
  });
  const asked: string[] = [];
  const witness = {
    instead: null as ((body: string) => Answer | Promise<Answer>) | null,
    asked,
    /** What the witness itself answers. */
    async ask(payload: string): Promise<Answer> {
      const answer = await service.app.inject({ method: "POST", url: "/witness/add-checkpoint", payload });
      return { status: answer.statusCode, body: answer.body };
    },
    service,
    name: `${name}.example/witness`,
    vkey: (await listWitnessKeys(service.deps))[0] ?? "",
    host: "",
    url: "",
  };
  const server = createServer(async (incoming, reply) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const body = Buffer.concat(parts).toString();
    asked.push(body);
    const given = await witness.instead?.(body);
    if (given !== undefined) return reply.writeHead(given.status).end(given.body);
    const answer = await service.app.inject({ method: "POST", url: incoming.url ?? "", payload: body });
    reply.writeHead(answer.statusCode).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeAfterwards(async () => void server.close());
  witness.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  witness.url = `http://${witness.host}/witness`;
  return witness;
}
