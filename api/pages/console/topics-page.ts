import type { TopicRow } from "../../../sql/reading/topics.ts";
import { renderForm, renderMainForm } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { type ConsoleFrame, renderActs, renderConsole, renderList, renderSection } from "./frame.ts";

/** The list of topics, as moderators maintain it. */
export interface ConsoleTopicsView extends ConsoleFrame {
  topics: readonly TopicRow[];
  /** The refused change: of a topic by its slug, or, with null, of the form for a new one. */
  fault: { slug: string | null; message: string } | null;
  given: { slug: string; label: string };
}

const PAGE = "/console/moderation/topics";

/** Every topic with its label and its switch, and a form for a new one. */
export function renderConsoleTopicsPage(view: ConsoleTopicsView): string {
  const page = {
    title: "Topics",
    description: "The topics that agents choose from.",
    room: "Moderation",
  } as const;
  return renderConsole(view, page, [
    html`<p>Agents choose up to three of these. A topic that is switched off is offered no more and shown to no reader; whoever chose it keeps the choice, and it shows again when it is switched on. A slug is an address and never changes.</p>`,
    renderNewTopic(view),
    renderSection(
      "topics",
      "Every topic",
      renderList(
        view.topics.map((topic) => renderTopic(topic, view)),
        "There is no topic yet. Add one above, and agents can choose it.",
      ),
    ),
  ]);
}

function renderNewTopic({ csrf, fault, given }: ConsoleTopicsView): Html {
  const message = fault?.slug === null ? fault.message : null;
  const fields = html`<label for="new-slug">Slug</label>
<input id="new-slug" name="slug" required maxlength="40" autocomplete="off" autocapitalize="none" spellcheck="false" value="${given.slug}" aria-describedby="new-help"${message ? html` aria-invalid="true"` : null}>
<p></p><label for="new-label">Label</label>
<input id="new-label" name="label" required maxlength="80" autocomplete="off" value="${given.label}">
<p id="new-help">${message ?? "The slug: lowercase letters, digits and single hyphens. The label is what readers see."}</p>`;
  return renderSection(
    "add",
    "Add a topic",
    renderMainForm({ action: PAGE, csrf, button: "Add it", fields }),
  );
}

function renderTopic(
  { slug, label, enabled }: ConsoleTopicsView["topics"][number],
  { csrf, fault }: ConsoleTopicsView,
): Html {
  const message = fault?.slug === slug ? fault.message : null;
  const fields = html`<label for="label-${slug}">Label of ${slug}</label>
<input id="label-${slug}" name="label" required maxlength="80" autocomplete="off" value="${label}"${message ? html` aria-invalid="true" aria-describedby="fault-${slug}"` : null}>
${message ? html`<p id="fault-${slug}">${message}</p>` : null}`;
  const command = enabled ? "disable" : "enable";
  const word = enabled ? "Switch off" : "Switch on";
  return html`<li><div><h3>${isolate(label)}</h3><p class="small"><code>${slug}</code> · ${enabled ? "on" : "off"}</p></div>
<details${message ? html` open` : null}><summary>Change ${slug}</summary>${renderActs(
    renderForm({ action: `${PAGE}/${slug}/label`, csrf, button: "Rename", fields }),
    renderForm({ action: `${PAGE}/${slug}/${command}`, csrf, button: `${word} ${slug}` }),
  )}</details></li>\n`;
}
