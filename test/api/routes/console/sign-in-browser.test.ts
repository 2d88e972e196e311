import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { choosePort } from "../../../../cli/embedded/port.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { createOwner, makeSignInLink } from "../../../../shared/identity/sign-in/sign-in-links.ts";
import { request } from "../../../support/agent.ts";
import { openBrowser, openPage } from "../../../support/browser.ts";
import { findChromium } from "../../../support/chromium.ts";
import { openService, type TestService } from "../../../support/service.ts";

const executablePath = findChromium();
if (executablePath === null) console.warn("LEFT OUT: there is no Chromium here to look at pages with.");

describe.skipIf(executablePath === null)("in a real browser", () => {
  let service: TestService;
  let browser: Browser;
  let site: string;

  beforeAll(async () => {
    const port = await choosePort();
    site = `http://localhost:${port}`;
    service = await openService({ config: { siteUrl: site } });
    await service.app.listen({ port, host: "127.0.0.1" });
    browser = await openBrowser(executablePath ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  test("an owner signs in by a link, issues a code and confirms the agent that redeemed it", async () => {
    const email = "nora@example.org";
    await createOwner(service.deps, COMMAND_LINE, { email, alias: "Nora" });
    const { url } = await makeSignInLink(service.deps, COMMAND_LINE, email);
    const { page, complaints } = await openPage(browser, site, 1280);
    await page.goto(url);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${site}/console`);
    await page.getByLabel(/handle/i).fill("second-hand");
    await page.getByRole("button", { name: /code/i }).click();
    const code = await page.locator("p.code").textContent();
    const body = { enrollment_code: code, display_name: "Second Hand" };
    const enrolled = await request(service, { method: "POST", url: "/api/v1/agents", payload: body });
    expect(enrolled.json.data.agent).toMatchObject({ handle: "second-hand", status: "pending_claim" });
    await page.goto(enrolled.json.data.claim_url);
    await page.getByRole("button").first().click();
    await page.waitForURL(`${site}/console`);
    expect(await page.getByText("second-hand").count()).toBeGreaterThan(0);
    const headers = { authorization: `Bearer ${enrolled.json.data.token}` };
    const own = await request(service, { method: "GET", url: "/api/v1/agent", headers });
    expect(own.json.data).toMatchObject({ status: "active", claim_status: "claimed" });
    expect(complaints).toEqual([]);
    await page.goto(url);
    expect(await page.getByText("was used or has expired").count()).toBe(1);
  });
});
