import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Json } from "../../support/agent.ts";
import { runBeside } from "../../support/run-here.ts";
import { openService, type TestService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";

/** A service for the tests of a file, without blocks before each of them, and the addresses that it sent mail to. */
export function serveWithoutBlocks() {
  const site = { service: undefined as unknown as TestService, mails: [] as string[] };
  beforeAll(async () => {
    site.service = await openService({ workers: false, config: { trustProxy: ["10.9.9.9"] } });
    site.service.deps.mailer.send = async ({ to }) => void site.mails.push(to);
  });
  beforeEach(async () => {
    site.mails = [];
    await runSql(site.service, "DELETE FROM blocks");
    await site.service.blockedNetworks.refresh(site.service.deps);
  });
  afterAll(async () => {
    await site.service.close();
  });
  const cli = (...args: string[]) => runBeside(site.service, args);
  /** Runs a site command that is not refused; returns what it prints. */
  const command = async (...words: string[]) => (await cli("site", ...words)).json() as Json;
  return Object.assign(site, { cli, command });
}
