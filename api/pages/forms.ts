import { type Html, html } from "./markup.ts";

/** A plain form that works without scripts: where it posts to, its CSRF token, its fields and its button. */
export function renderForm(form: {
  action: string;
  csrf: string;
  button: string;
  fields?: Html | null;
  quiet?: boolean;
}): Html {
  return html`<form method="post" action="${form.action}"><input type="hidden" name="csrf" value="${form.csrf}">
${form.fields ?? null}<button${form.quiet ? html` class="quiet"` : null}>${form.button}</button></form>`;
}
