import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { choosePort } from "../../../../cli/embedded/port.ts";
import { openBrowser, openPage } from "../../../support/browser.ts";
import { findChromium } from "../../../support/chromium.ts";
import { findJava } from "../../../support/java.ts";
import { openService, type TestService } from "../../../support/service.ts";
import { findBarriers, findOverflow, walkByKeyboard } from "./looking.ts";
import { fillPages, listCases, type PageCase, pathOf, watchRoutes } from "./page-cases.ts";

const executablePath = findChromium();
const java = findJava();
if (executablePath === null) console.warn("LEFT OUT: there is no Chromium here to look at every page with.");
if (java === null) console.warn("LEFT OUT: there is no Java here to run the Nu checker with.");

const WIDTHS = [320, 768, 1280, 1600];
const WALKED_WIDTH = 1280;
const PAGE_BYTES = 60 * 1024;
const require = createRequire(import.meta.url);
const VNU = require.resolve("vnu-jar/build/dist/vnu.jar");

describe.skipIf(executablePath === null)("every page of the app", () => {
  let service: TestService;
  let browser: Browser;
  let site: string;
  let reader: Page;
  let owner: Page;
  let filled: Awaited<ReturnType<typeof fillPages>>;
  let cases: PageCase[];
  let complaints: string[][];
  const texts = new Map<string, string>();

  beforeAll(async () => {
    const routes = watchRoutes();
    const port = await choosePort();
    site = `http://localhost:${port}`;
    service = await openService({ config: { siteUrl: site } });
    routes.stop();
    await service.app.listen({ port, host: "127.0.0.1" });
    filled = await fillPages(service);
    cases = listCases(routes.pages, filled);
    browser = await openBrowser(executablePath ?? "");
    const opened = await Promise.all([
      openPage(browser, site, WALKED_WIDTH),
      openPage(browser, site, WALKED_WIDTH),
    ]);
    [reader, owner] = opened.map(({ page }) => page) as [Page, Page];
    await owner.goto(filled.signInUrl);
    await owner.getByRole("button", { name: "Sign in" }).click();
    await owner.waitForURL(`${site}/console`);
    complaints = opened.map((one) => one.complaints);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  test("has a case, and no case is without its route", () => {
    expect(cases.length).toBeGreaterThan(45);
    expect(() => listCases(["/a-page-nobody-knows"], filled)).toThrow(
      "no page case for /a-page-nobody-knows",
    );
  });

  test("is without barriers, reached by keyboard, and fits every width", { timeout: 300_000 }, async () => {
    const found: Record<string, string[]> = {};
    for (const one of cases) {
      const page = one.signedIn ? owner : reader;
      await page.setViewportSize({ width: WALKED_WIDTH, height: 800 });
      const answer = await page.goto(`${site}${one.path}`);
      texts.set(one.path, (await answer?.text()) ?? "");
      const faults = [...checkAnswer(one, answer), ...(await lookAt(page, one))];
      if (faults.length > 0) found[one.path] = faults;
    }
    expect(found).toEqual({});
    expect(complaints.flat()).toEqual([]);
  });

  test("the demonstration's story is light: HTML, stylesheet and cover, and nothing more", async () => {
    const { page } = await openPage(browser, site, WALKED_WIDTH);
    const requests: string[] = [];
    page.on("request", (made) => {
      if (!made.url().startsWith("data:")) requests.push(made.url());
    });
    const answer = await page.goto(`${site}${pathOf(filled.site, "demo")}`, { waitUntil: "networkidle" });
    expect((await answer?.body())?.length).toBeLessThan(PAGE_BYTES);
    expect(await page.locator("figure svg").count()).toBeGreaterThanOrEqual(2);
    const words: string = await page.evaluate(`document.querySelector(".prose").innerText`);
    expect(words.split(/\s+/).length).toBeGreaterThan(900);
    expect(requests.length).toBeLessThanOrEqual(3);
    await page.context().close();
  });

  test.skipIf(java === null)(
    "has no error of HTML in the eyes of the Nu checker",
    { timeout: 120_000 },
    async () => {
      expect(texts.size).toBe(new Set(cases.map(({ path }) => path)).size);
      expect(await checkWithNu([...texts])).toEqual([]);
    },
  );
});

function checkAnswer({ route, path }: PageCase, answer: Response | null): string[] {
  const isRefused = route === "(none)" || path.endsWith("/used");
  const status = answer?.status() ?? 0;
  const isPage = answer?.headers()["content-type"]?.startsWith("text/html") === true;
  return [
    ...(isPage ? [] : ["it is no page"]),
    ...(status === (isRefused ? 404 : 200) ? [] : [`it answers ${status}`]),
  ];
}

async function lookAt(page: Page, { isLikeAnother }: PageCase): Promise<string[]> {
  const walked = isLikeAnother ? [] : [...(await walkByKeyboard(page)), ...(await findBarriers(page))];
  return [...walked, ...(await findOverflow(page, WIDTHS))];
}

/** One run of the checker over all pages: what it found, by path. */
async function checkWithNu(pages: readonly (readonly [path: string, text: string])[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-pages-"));
  try {
    const files = pages.map((_, at) => join(folder, `${at}.html`));
    await Promise.all(pages.map(([, text], at) => writeFile(files[at] ?? "", text)));
    const args = ["-jar", VNU, "--errors-only", "--format", "json", ...files];
    // It exits with 1 where it finds something, and writes what it finds to standard error.
    const report = await new Promise<string>((resolve) => {
      execFile(java ?? "java", args, { maxBuffer: 64 * 1024 * 1024 }, (_error, _stdout, stderr) =>
        resolve(stderr),
      );
    });
    const { messages } = JSON.parse(report) as {
      messages: { url: string; message: string; extract?: string }[];
    };
    return messages.map(({ url, message, extract }) => {
      const [path] = pages[Number(/(\d+)\.html$/.exec(url)?.[1])] ?? ["?"];
      return `${path}: ${message} ${extract ?? ""}`;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
