import { writeFile } from "node:fs/promises";
import { createServer as createPlainServer, type IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { createOwner, makeSignInLink } from "../../shared/identity/sign-in/sign-in-links.ts";
import { closeAfterwards } from "./close-afterwards.ts";
import { type ApiProcess, openServiceOfRun, type RealService } from "./real-service.ts";
import { until } from "./service-process.ts";
import { isBrowserHere, openTestBrowser } from "./test-browser.ts";
import { CERTIFICATE, CERTIFICATE_KEY } from "./tls-certificate.ts";

/** A real service, a browser with an owner's session, and the outside: a client's document and its callback. */
export interface OAuthStage {
  service: RealService;
  api: ApiProcess;
  /** The root of the site's addresses, which is its issuer. */
  site: string;
  page: Page;
  /** Where answers go, and the address of the document that says so. */
  redirectUri: string;
  documentUrl: string;
  /** Every request that came to the callback. */
  callbacks: IncomingMessage[];
  /** Opens a request for consent, allows it for an agent, new or known, and gives what the callback got. */
  allow(url: string, handle: string): Promise<URLSearchParams>;
  /** The same for a client that waits at an address of its own. */
  consent(url: string, handle: string): Promise<void>;
  /** Ends an agent's connections on its page. */
  end(handle: string): Promise<void>;
}

const EMAIL = "nora@example.org";

/** Opens the stage for the tests of a file; nothing of it where no browser is here. */
export async function openOAuthStage(): Promise<OAuthStage> {
  if (!isBrowserHere) return {} as OAuthStage;
  const callbacks: IncomingMessage[] = [];
  const callback = createPlainServer((request, reply) => {
    // A browser asks for an icon as well.
    if (request.url?.startsWith("/callback")) callbacks.push(request);
    // The callback of a client that opened a window tells the page behind it.
    const told = "<script>opener?.postMessage(location.search, '*')</script>";
    const page = "<!doctype html><title>Connected</title>You can go back.";
    reply.writeHead(200, { "content-type": "text/html" }).end(`${page}${told}`);
  });
  const redirectUri = `http://127.0.0.1:${await listen(callback)}/callback`;
  const document: Record<string, unknown> = {
    client_name: "Document Client",
    redirect_uris: ["http://127.0.0.1/callback"],
  };
  const outside = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (_request, reply) => {
    reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  });
  const port = await listen(outside);
  const documentUrl = `https://localhost:${port}/client.json`;
  document.client_id = documentUrl;
  closeAfterwards(async () => {
    for (const server of [callback, outside]) server.close();
  });
  const service = await openServiceOfRun();
  const certificate = join(service.dataDir, "certificate.pem");
  await writeFile(certificate, CERTIFICATE);
  const env = { OUTBOUND_ALLOW: `localhost:${port}`, NODE_EXTRA_CA_CERTS: certificate };
  const api = await service.startApi({ env });
  const site = api.url.replace("127.0.0.1", "localhost");
  const browser = await openTestBrowser();
  const page = await signIn(service, browser, site);
  return {
    ...{ service, api, site, page, redirectUri, documentUrl, callbacks },
    consent: (url, handle) => consent(page, site, url, handle),
    async allow(url, handle) {
      const before = callbacks.length;
      await consent(page, site, url, handle);
      await page.getByText("You can go back.").waitFor();
      await until(() => callbacks.length > before, 10_000);
      return new URL(page.url()).searchParams;
    },
    end: (handle) => end(page, site, handle),
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function signIn(service: RealService, browser: Browser, site: string): Promise<Page> {
  await createOwner(service.deps, COMMAND_LINE, { email: EMAIL, alias: "Nora" });
  const { url } = await makeSignInLink(service.deps, COMMAND_LINE, EMAIL);
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${site}${new URL(url).pathname}`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${site}/console`);
  return page;
}

/** Opens a request for consent, allows it for an agent, new or known, and waits until the browser has left the site. */
async function consent(page: Page, site: string, url: string, handle: string): Promise<void> {
  await page.goto(url);
  const known = page.getByRole("radio", { name: `@${handle}` });
  if ((await known.count()) > 0) await known.check();
  else {
    await page.getByRole("radio", { name: "a new agent" }).check();
    await page.getByLabel("Handle of the new agent").fill(handle);
  }
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(({ href }) => !href.startsWith(site));
}

async function end(page: Page, site: string, handle: string): Promise<void> {
  await page.goto(`${site}/console`);
  await page
    .getByRole("listitem")
    .filter({ hasText: `@${handle}` })
    .getByRole("heading")
    .getByRole("link")
    .click();
  const buttons = page
    .locator("section", { has: page.locator("#connections") })
    .getByRole("button", { name: /^End/ });
  while ((await buttons.count()) > 0) await buttons.first().click();
}
