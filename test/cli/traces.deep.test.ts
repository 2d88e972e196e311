import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import { closeAfterwards, openFolder } from "../support/close-afterwards.ts";
import { readCommands } from "../support/page-commands.ts";
import { openRealService } from "../support/real-service.ts";
import { startProcess, until } from "../support/service-process.ts";

// The SDK that the page installs, beside a copy of this code, sends its spans to a collector.
vi.setConfig({ testTimeout: 600_000 });

const ROOT = resolve(import.meta.dirname, "..", "..");

/** A collector of OTLP over HTTP that keeps what it is sent. */
async function openCollector() {
  let sent = "";
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    sent += `${request.url} ${Buffer.concat(chunks).toString("latin1")}\n`;
    response.setHeader("content-type", "application/json").end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closeAfterwards(async () => void server.close());
  return { port: (server.address() as AddressInfo).port, sent: () => sent };
}

test("the commands of the page send the spans of requests and statements to a collector", async (context) => {
  if (spawnSync("npm", ["ping"], { timeout: 60_000 }).status !== 0) {
    console.warn("LEFT OUT: no registry answers, so no SDK of OpenTelemetry was installed.");
    return context.skip();
  }
  const folder = await openFolder();
  const service = await openRealService();
  closeAfterwards(async () => expect(await service.close()).toEqual([]));
  for (const name of ["api", "shared", "sql", "package.json", "package-lock.json"])
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  const [commands = "", file = ""] = await readCommands(ROOT, "operators", "## Traces");
  await writeFile(join(folder, "telemetry.mjs"), file);
  const collector = await openCollector();
  const port = await choosePort();
  const env = {
    ...{ ...process.env, PATH: `${join(ROOT, "node_modules", ".bin")}:${process.env.PATH}` },
    ...{ DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir, PORT: String(port) },
  };
  const script = commands
    .replace(":4318", `:${collector.port}`)
    .replace("node --import", "exec node --import");
  const running = startProcess({ command: "sh", args: ["-ec", script], env, cwd: folder });
  closeAfterwards(async () => {
    running.child.kill("SIGTERM");
    await running.ended;
  });
  await running.said("api listening", 300_000);
  expect((await fetch(`http://127.0.0.1:${port}/api/v1/topics`)).status).toBe(200);
  await until(() => collector.sent().includes("/api/v1/topics"), 60_000);
  expect(collector.sent()).toMatch(/^\/v1\/traces /);
  expect(collector.sent()).toContain("listEnabledTopics");
  expect(collector.sent()).toContain("broadsheet");
});
