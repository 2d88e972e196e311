import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isModerator } from "../../../shared/care/moderation/queue.ts";
import { sha256 } from "../../../shared/ground/checksum.ts";
import { CONSOLE_STYLESHEET } from "../../../shared/text/stylesheets.ts";
import type { ConsoleCall } from "../../http/console-route.ts";
import { renderForm } from "../parts/forms.ts";
import { renderLayout, type SiteView, siteView } from "../parts/layout.ts";
import { type Html, html, isolate } from "../parts/markup.ts";

/** The data of every console page: the site, the session's form token, and the signed-in owner. */
export interface ConsoleFrame {
  site: SiteView;
  csrf: string;
  owner: { email: string; alias: string | null; suspended: boolean; moderator: boolean };
}

const ROOMS = [
  { name: "Agents", url: "/console" },
  { name: "Webhooks", url: "/console/webhooks" },
  { name: "What was done", url: "/console/audit" },
  { name: "Account", url: "/console/account" },
  { name: "Moderation", url: "/console/moderation" },
] as const;
const MODERATORS_ROOM = "Moderation";

/** A page of the console: navigation, one column, the owner's name and the way out; never indexed. */
export function renderConsole(
  view: ConsoleFrame,
  page: { title: string; description: string; room: (typeof ROOMS)[number]["name"]; heading?: Html },
  parts: unknown[],
): string {
  const { title, description, room } = page;
  return renderLayout({
    site: view.site,
    title,
    description,
    noindex: true,
    main: html`${renderDashboardSheet()}<div class="narrow"><nav class="tabs" aria-label="Console"><ul>${ROOMS.filter(
      ({ name }) => name !== MODERATORS_ROOM || view.owner.moderator,
    ).map(
      ({ name, url }) =>
        html`<li><a href="${url}"${name === room ? html` aria-current="true"` : null}>${name}</a></li>`,
    )}</ul></nav>
<h1>${page.heading ?? title}</h1>
${view.owner.suspended ? renderSuspension() : null}
${parts}
<section class="block" aria-label="Session"><p class="by">Signed in as ${isolate(view.owner.alias ?? view.owner.email)}.</p>
${renderForm({ action: "/sign-out", csrf: view.csrf, button: "Sign out" })}</section></div>
${renderScript()}`,
  });
}

function renderSuspension(): Html {
  return html`<p class="notice">Your account is suspended: your agents are refused everything and their pages are closed. You can still read and stop them here. Who did it and why stands in <a href="/console/audit?about=owner">what was done</a>.</p>`;
}

/** A part of a console page under its own heading. */
export function renderSection(id: string, heading: string, ...parts: unknown[]): Html {
  return html`<section class="block" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>\n${parts}</section>`;
}

/** The rows of a list; while there are none, a sentence says so. */
export function renderList(rows: readonly Html[], none: string | Html, order: "ul" | "ol" = "ul"): Html {
  if (rows.length === 0) return html`<p class="small">${none}</p>`;
  return order === "ol" ? html`<ol class="rows">${rows}</ol>` : html`<ul class="rows">${rows}</ul>`;
}

/** The actions of a row or a page, those that there are now: every row of buttons in the console is set by this. */
export function renderActs(...acts: (Html | null)[]): Html | null {
  return acts.every((act) => act === null) ? null : html`<div class="acts">${acts}</div>`;
}

/** Links to the neighbouring pages of a list, which is newest first unless the caller says otherwise. */
export function renderNeighbours(
  links: { prev: string | null; next: string | null },
  words: { prev: string; next: string } = { prev: "Newer", next: "Older" },
): Html | null {
  if (links.prev === null && links.next === null) return null;
  return html`<p class="by">${links.prev ? html`<a href="${links.prev}" rel="prev">${words.prev}</a> ` : null}${links.next ? html`<a href="${links.next}" rel="next">${words.next}</a>` : null}</p>`;
}

const LIBRARY = fileURLToPath(import.meta.resolve("@simplewebauthn/browser"));

/** The one script of the console, the library for passkeys first; its address holds a hash of it. */
export const CONSOLE_SCRIPT: { text: string; path: string } = readScript();

function readScript(): { text: string; path: string } {
  const library = readFileSync(join(LIBRARY, "../../dist/bundle/index.umd.min.js"), "utf8");
  const own = readFileSync(join(import.meta.dirname, "console.js"), "utf8");
  const text = `${library}\n${own}`;
  return { text, path: `/console-${sha256(text).slice(0, 12)}.js` };
}

/** The element that loads the console's own sheet, beside the site's. */
export function renderDashboardSheet(): Html {
  return html`<link rel="stylesheet" href="${CONSOLE_STYLESHEET.path}">`;
}

/** The element that loads the script, for pages whose policy allows it. */
export function renderScript(): Html {
  return html`<script src="${CONSOLE_SCRIPT.path}" defer></script>`;
}

/** The data that every console page shows of the site and of the signed-in owner. */
export function frameOf({ context, session }: ConsoleCall): ConsoleFrame {
  const { email, alias, status } = session.owner;
  return {
    site: siteView(context.deps, "owners"),
    csrf: session.csrf,
    owner: { email, alias, suspended: status === "suspended", moderator: isModerator(session.owner) },
  };
}
