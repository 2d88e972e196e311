import { Refusal, refuseField } from "../../../shared/ground/errors.ts";
import { type Html, html } from "./markup.ts";

interface FormView {
  action: string;
  csrf: string;
  button: string | Html;
  fields?: Html | null;
}

/** A plain form that works without scripts: where it posts to, its CSRF token, its fields and its button, a quiet one. */
export function renderForm(form: FormView, look: Html | null = html` class="quiet"`): Html {
  return html`<form method="post" action="${form.action}"><input type="hidden" name="csrf" value="${form.csrf}">
${form.fields ?? null}<button${look}>${form.button}</button></form>`;
}

/** The form that a page or a section is for: its button is not quiet. */
export const renderMainForm = (form: FormView): Html => renderForm(form, null);

/** A form with a box; `more` are fields that stand before it. */
export type SureForm = Omit<FormView, "fields"> & { id: string; sentence: string; more?: Html };

/** A form for an act that cannot be undone: its box must be ticked first. */
export function renderSureForm(form: SureForm): Html {
  const fields = html`${form.more ?? null}<p class="tick"><input type="checkbox" id="${form.id}" name="sure" value="yes" required> <label for="${form.id}">${form.sentence}</label></p>`;
  return renderForm({ ...form, fields });
}

/** A choice from a list, with its label. */
export function renderSelect(select: {
  id: string;
  /** Where it differs from the id. */
  name?: string;
  label: string | Html;
  chosen: string;
  options: readonly (readonly [value: string, word: string])[];
}): Html {
  return html`<label for="${select.id}">${select.label}</label>
<select id="${select.id}" name="${select.name ?? select.id}">${renderOptions(select.options, select.chosen)}</select>`;
}

/** The options of a choice. */
export function renderOptions(
  options: readonly (readonly [value: string, word: string])[],
  chosen: string | null,
): Html[] {
  return options.map(
    ([value, word]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : null}>${word}</option>`,
  );
}

/** A button that copies the text of an element; it shows only where the console's script runs. */
export function renderCopyButton(sourceId: string, button: string): Html {
  return html`<p><button type="button" class="quiet" data-copy="${sourceId}" hidden>${button}</button></p>`;
}

/** Refuses an act that cannot be undone until its box is ticked. */
export function checkSure(fields: Record<string, string>): void {
  if (fields.sure === "yes") return;
  throw refuseField("sure", "Tick the box first: this cannot be taken back.", "Go back and tick it.");
}

/** A refusal that a page shows beside the field of its form. */
export interface FormFault {
  field: string;
  message: string;
}

/** The refusal of a form that the page can show beside its field; anything else is thrown on. */
export function toFault(error: unknown): FormFault & { status: number } {
  if (!(error instanceof Refusal) || error.status >= 500) throw error;
  const field = Object.keys(error.errors)[0];
  if (field === undefined) throw error;
  return { field, message: error.message, status: error.status };
}
