import { choosePort } from "../../cli/embedded/port.ts";
import { openService } from "./service.ts";
import { openTestBrowser } from "./test-browser.ts";

/** A service that listens, and a browser to look at it with. */
export async function openBrowsedSite(options: NonNullable<Parameters<typeof openService>[0]> = {}) {
  const port = await choosePort();
  const site = `http://localhost:${port}`;
  const service = await openService({ ...options, config: { ...options.config, siteUrl: site } });
  await service.app.listen({ port, host: "127.0.0.1" });
  return { service, site, browser: await openTestBrowser() };
}
