import { renderForm } from "../parts/forms.ts";
import { html, isolate } from "../parts/markup.ts";
import { type ConsoleFrame, renderConsole } from "./frame.ts";

/** Shows the button that sets a new address; opening the link does not use it up. */
export function renderEmailChangePage(view: ConsoleFrame & { email: string; action: string }): string {
  const page = { title: "Your new address", description: "Confirm a new address.", room: "Account" } as const;
  return renderConsole(view, page, [
    html`<p>From now on sign-in links shall go to ${isolate(view.email)} instead of ${isolate(view.owner.email)}. Every other session of yours ends.</p>`,
    renderForm({ action: view.action, csrf: view.csrf, button: "Use this address" }),
  ]);
}
