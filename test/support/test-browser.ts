import type { Browser } from "playwright-core";
import { openBrowser } from "./browser.ts";
import { findChromium } from "./chromium.ts";
import { closeAfterwards } from "./close-afterwards.ts";

const executablePath = findChromium();

/** Without a Chromium the tests that look at something in it are left out. */
export const isBrowserHere = executablePath !== null;
if (!isBrowserHere) console.warn("LEFT OUT: there is no Chromium here to look at pages and drawings with.");

/** Chromium, closed after the test or the file that opened it; nothing where none is here. */
export async function openTestBrowser(): Promise<Browser> {
  if (executablePath === null) return {} as Browser;
  const browser = await openBrowser(executablePath);
  closeAfterwards(() => browser.close());
  return browser;
}
