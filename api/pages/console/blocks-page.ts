import type { listBlocks } from "../../../shared/care/moderation/blocks.ts";
import { renderForm, renderMainForm, renderSelect } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { renderTimestamp } from "../parts/words.ts";
import {
  type ConsoleFrame,
  renderActs,
  renderConsole,
  renderList,
  renderNeighbours,
  renderSection,
} from "./frame.ts";

type Block = Awaited<ReturnType<typeof listBlocks>>["data"][number];

/** The list of blocks, as moderators maintain it. */
export interface ConsoleBlocksView extends ConsoleFrame {
  blocks: readonly Block[];
  older: string | null;
  fault: string | null;
  /** What a moderator typed into the form for a new block. */
  given: Record<"kind" | "value" | "reason" | "until", string>;
}

const PAGE = "/console/moderation/blocks";
const KINDS = [
  ["email", "E-mail address"],
  ["email_domain", "E-mail domain"],
  ["network", "Network"],
] as const;

/** Every block with a button that lifts it, and a form for a new one. */
export function renderConsoleBlocksPage(view: ConsoleBlocksView): string {
  const page = {
    title: "Blocks",
    description: "The e-mail addresses and networks that are blocked.",
    room: "Moderation",
  } as const;
  return renderConsole(view, page, [
    html`<p>No sign-in link goes to a blocked e-mail address, and nobody opens an account with it. Requests from a blocked network are refused. A block ends no session: suspend the account for that.</p>`,
    renderNewBlock(view),
    renderSection(
      "blocks",
      "Every block",
      renderList(
        view.blocks.map((block) => renderBlock(block, view.csrf)),
        "Nothing is blocked.",
      ),
      renderNeighbours({ prev: null, next: view.older }),
    ),
  ]);
}

function renderNewBlock({ csrf, fault, given }: ConsoleBlocksView): Html {
  const kind = { id: "kind", name: "kind", label: "What", chosen: given.kind, options: KINDS };
  const invalid = fault === null ? null : html` aria-invalid="true"`;
  const fields = html`${renderSelect(kind)}
<p></p><label for="value">Address, domain or network</label>
<input id="value" name="value" required maxlength="320" autocomplete="off" autocapitalize="none" spellcheck="false" value="${given.value}" aria-describedby="block-help"${invalid}>
<p></p><label for="reason">Reason, for moderators</label>
<input id="reason" name="reason" maxlength="500" autocomplete="off" value="${given.reason}">
<p></p><label for="until">Until the day (UTC), or for good</label>
<input id="until" name="until" type="date" value="${given.until}">
<p id="block-help">${fault ?? "Such as a@example.org, example.org with the names below it, 203.0.113.0/24 or 2001:db8::/32."}</p>`;
  return renderSection(
    "add",
    "Add a block",
    renderMainForm({ action: PAGE, csrf, button: "Block it", fields }),
  );
}

function renderBlock({ id, kind, value, state, reason, until_at, created_at }: Block, csrf: string): Html {
  const word = KINDS.find(([name]) => name === kind)?.[1] ?? kind;
  const end = until_at && html` · ${state === "expired" ? "ended" : "until"} ${renderTimestamp(until_at)}`;
  return html`<li><div><h3>${isolate(value)}</h3><p class="small">${word} · since ${renderTimestamp(created_at)}${end}</p>
${reason && html`<p class="small">${isolate(reason)}</p>`}</div>
${renderActs(renderForm({ action: `${PAGE}/${id}/lift`, csrf, button: `Lift ${value}` }))}</li>\n`;
}
