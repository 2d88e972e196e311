import { createServer } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { findOrphans, readPostmasterPid, until } from "../support/service-process.ts";
import { prepareServices } from "./stand-in-services.ts";

const services = prepareServices();
const { start } = services;
let dataDir = "";
let port = 0;
beforeEach(() => {
  ({ dataDir, port } = services.place);
});

describe("a start that cannot succeed", { timeout: 240_000 }, () => {
  test("names PORT when another program listens there, and leaves nothing running", async () => {
    const squatter = createServer().listen(port, "127.0.0.1");
    const service = start();
    expect((await service.ended).code).toBe(1);
    expect(service.stderr()).toBe(
      `Port ${port} on 127.0.0.1 is taken by another program: set PORT to a free one.\n`,
    );
    squatter.close();
  });

  test("names the child that fails, and leaves nothing running", async () => {
    const service = start({ STAND_IN_FAILS: "workers" });
    expect((await service.ended).code).toBe(1);
    expect(service.stderr()).toContain("The workers ended while starting (exit code 3).");
    expect(await findOrphans(dataDir, [])).toEqual([]);
  });

  test("gives up a child that never tells that it is ready, and leaves nothing running", async () => {
    const service = start({ STAND_IN_IS_NEVER_READY: "workers", READY_WITHIN_MS: "1500" });
    expect((await service.ended).code).toBe(1);
    expect(service.stderr()).toContain("The service was not ready within 1.5 seconds: its log says why.");
    expect(await findOrphans(dataDir, [])).toEqual([]);
  });

  test("stops in the middle when told to", async () => {
    const service = start();
    await until(
      () =>
        readPostmasterPid(dataDir).then(
          () => true,
          () => false,
        ),
      20_000,
    );
    service.child.kill("SIGTERM");
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(await findOrphans(dataDir, [])).toEqual([]);
  });
});
