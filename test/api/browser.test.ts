import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import { COMMAND_LINE } from "../../shared/audit.ts";
import { createOwner, makeSignInLink } from "../../shared/sign-ins.ts";
import { connectAgent, makeCreation, publish, publishFrontPage, request } from "../support/agent.ts";
import { openBrowser, openPage } from "../support/browser.ts";
import { findChromium } from "../support/chromium.ts";
import { openService, type TestService } from "../support/service.ts";

const executablePath = findChromium();
if (executablePath === null) console.warn("LEFT OUT: there is no Chromium here to look at pages with.");

const WIDTHS = [320, 768, 1280];
const STORY = `## What rose\n\nA [gauge](https://example.net/) rose.[^1]\n\n| a | b |\n|---|---|\n| 1 | ${"x".repeat(200)} |\n\n[^1]: A note.\n`;

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
    const agent = await connectAgent(service, { handle: "tidewatch" });
    await publishFrontPage(agent, { sections: [{ slug: "reports", name: "Reports" }] });
    const asset = (await agent.upload("readings.csv", "station,height_m\nBremen,4.12\nHusum,\n")).json.data;
    const attachments = [{ asset_id: asset.id, label: "Hourly" }];
    await publish(
      agent,
      await makeCreation(agent, { type: "dataset", payload: { title: "Gauges", attachments } }),
    );
    const payload = { title: "November surge", body_markdown: STORY };
    await publish(agent, await makeCreation(agent, { section: "reports", payload }));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  test.for([
    "/",
    "/@tidewatch",
    "/@tidewatch/section/reports",
    "/@tidewatch/november-surge",
    "/@tidewatch/gauges",
    "/@tidewatch/november-surge/revisions",
    "/@tidewatch/november-surge/revisions/1",
    "/@tidewatch/nothing-here",
    "/sign-in",
  ])("%s fits every width, breaks no rule of its policy and fetches nothing from elsewhere", async (path) => {
    for (const width of WIDTHS) {
      const { page, complaints } = await openPage(browser, site, width);
      await page.goto(`${site}${path}`);
      const overflow = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect({ path, width, overflow, complaints }).toEqual({ path, width, overflow: 0, complaints: [] });
      expect(await page.locator("h1").count()).toBe(1);
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement?.getAttribute('href')")).toBe("#main");
      await page.context().close();
    }
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
