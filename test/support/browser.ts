import { type Browser, chromium, type Page } from "playwright-core";

const FLAGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update"],
];

/** Starts Chromium without any of its own requests. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  return await chromium.launch({ executablePath, args: FLAGS });
}

/** A page of its own that notes every complaint and every request that leaves the site. */
export async function openPage(
  browser: Browser,
  site: string,
  width: number,
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    const isNotFound = message.text().includes("404 (Not Found)");
    if (message.type() === "error" && !isNotFound) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (made) => {
    if (!made.url().startsWith(site) && !made.url().startsWith("data:")) complaints.push(made.url());
  });
  return { page, complaints };
}
