import { once } from "node:events";
import { createServer } from "node:http";
import type { Config } from "../../shared/platform/config.ts";
import type { Unreadiness } from "../../shared/platform/process/readiness.ts";

/** Answers for an API that cannot work yet: /healthz with 200, else 503 and the reason. Returns its end. */
export async function openWaitingServer(
  { port, host }: Pick<Config, "port" | "host">,
  version: string,
  { reason, mend }: Unreadiness,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const lives = request.url?.split("?")[0] === "/healthz";
    const body = lives ? { status: "ok", version } : { status: "not ready", reason, mend };
    const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
    response.writeHead(lives ? 200 : 503, { ...headers, connection: "close", "retry-after": "5" });
    response.end(JSON.stringify(body));
  });
  server.listen(port, host);
  await once(server, "listening");
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
}
