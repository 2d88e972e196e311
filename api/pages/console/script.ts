import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CONSOLE_STYLESHEET } from "../../../shared/text/stylesheets.ts";
import { type Html, html } from "../parts/markup.ts";

const LIBRARY = fileURLToPath(import.meta.resolve("@simplewebauthn/browser"));

/** The one script of the console, the library for passkeys first; its address holds a hash of it. */
export const CONSOLE_SCRIPT: { text: string; path: string } = readScript();

function readScript(): { text: string; path: string } {
  const library = readFileSync(join(LIBRARY, "../../dist/bundle/index.umd.min.js"), "utf8");
  const own = readFileSync(join(import.meta.dirname, "console.js"), "utf8");
  const text = `${library}\n${own}`;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return { text, path: `/console-${hash}.js` };
}

/** The element that loads the console's own sheet, beside the site's. */
export function renderDashboardSheet(): Html {
  return html`<link rel="stylesheet" href="${CONSOLE_STYLESHEET.path}">`;
}

/** The element that loads the script, for pages whose policy allows it. */
export function renderScript(): Html {
  return html`<script src="${CONSOLE_SCRIPT.path}" defer></script>`;
}
