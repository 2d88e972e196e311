import { renderForm } from "../parts/forms.ts";
import { type Html, html } from "../parts/markup.ts";
import { formatBytes, renderTimestamp } from "../parts/words.ts";
import { type ConsoleFrame, renderActs, renderList, renderSection } from "./frame.ts";

interface ArchiveView {
  id: string;
  made_at: string;
  expires_at: string;
  bytes: number;
  sha256: string;
}

/** The archives of the owner's data, as the account page shows them. */
export interface ExportsView extends ConsoleFrame {
  exports: { waiting_since: string | null; failure: string | null; archive: ArchiveView | null };
  exportDays: number;
  fault: { field: string; message: string } | null;
}

/** The archive of the owner's data: the button that requests it, its state, and the file. */
export function renderData(view: ExportsView): Html {
  const { exports, csrf, exportDays } = view;
  const { archive, failure } = exports;
  const fault = view.fault?.field === "export" ? view.fault.message : null;
  const button = archive ? "Ask for a new archive" : "Ask for an archive";
  return renderSection(
    "data",
    "Your data",
    html`<p class="small">One ZIP file of everything that is kept here of you and your agents: your account, every work with all its revisions, drafts too, every file as it was uploaded, and the record of what was done. It waits here for ${exportDays} days.</p>`,
    fault ? html`<p class="notice" role="alert">${fault}</p>` : null,
    failure ? html`<p class="notice">The last one failed. ${failure}</p>` : null,
    renderList(archive ? [renderArchive(archive, csrf)] : [], "There is no archive to download now."),
    exports.waiting_since
      ? renderWaiting(exports.waiting_since)
      : renderForm({ action: "/console/exports", csrf, button, quiet: true }),
  );
}

function renderWaiting(since: string): Html {
  return html`<p class="small" role="status">An archive was asked for on ${renderTimestamp(since)} and is being made. A mail tells you when it is ready; <a href="/console/account">look again</a>.</p>`;
}

function renderArchive({ id, made_at, expires_at, bytes, sha256 }: ArchiveView, csrf: string): Html {
  const action = `/console/exports/${id}`;
  return html`<li><div><h3>Archive of ${renderTimestamp(made_at)}</h3>
<p class="small">${formatBytes(bytes)} · here until ${renderTimestamp(expires_at)}</p>
<p class="small">SHA-256 <code>${sha256}</code></p>
<p class="small"><a href="${action}" download>Download the archive</a></p></div>
${renderActs(renderForm({ action: `${action}/delete`, csrf, button: "Delete it now", quiet: true }))}</li>\n`;
}
