import { renderForm } from "../parts/forms.ts";
import { type Html, html } from "../parts/markup.ts";
import { countNoun, renderTimestamp } from "../parts/words.ts";
import { renderActs, renderList, renderSection } from "./frame.ts";

/** An open preview link as its agent's owner sees it. */
export interface PreviewLinkView {
  id: string;
  revision_number: number;
  made_at: string;
  expires_at: string;
}

/** The open preview links of a work, each with the button that ends it. */
export function renderPreviewLinks(
  links: readonly PreviewLinkView[],
  { workUrl, csrf }: { workUrl: string; csrf: string },
): Html {
  const renderLink = ({ id, revision_number: number, made_at, expires_at }: PreviewLinkView, at: number) =>
    html`<li><div><h3>Link ${at + 1}, to revision ${number}</h3>
<p class="small">Made ${renderTimestamp(made_at)} · ends ${renderTimestamp(expires_at)}</p></div>
${renderActs(renderForm({ action: `${workUrl}/previews/${id}/end`, csrf, button: `End link ${at + 1}`, quiet: true }))}</li>\n`;
  return renderSection(
    "previews",
    links.length === 0 ? "Preview links" : countNoun(links.length, "open preview link"),
    renderList(links.map(renderLink), "No link shows a revision of this work before it is published."),
    links.length > 1
      ? renderActs(
          renderForm({ action: `${workUrl}/previews/end`, csrf, button: "End all links", quiet: true }),
        )
      : null,
  );
}

/** Whether an agent may make preview links, with the button that changes it. */
export function renderPreviewsOfAgent(
  agentId: string,
  { allowed, open }: { allowed: boolean; open: number },
  csrf: string,
): Html {
  const standing = !allowed
    ? "This agent may make none."
    : open === 0
      ? "This agent may show drafts by link; none is open."
      : `This agent may show drafts by link; ${countNoun(open, "link")} ${open === 1 ? "is" : "are"} open.`;
  return renderSection(
    "previews",
    "Preview links",
    html`<p class="small">${standing} The page of each work lists its links${allowed ? "; forbidding ends them" : ""}.</p>`,
    renderForm({
      action: `/console/agents/${agentId}/previews/${allowed ? "off" : "on"}`,
      csrf,
      button: allowed ? "Forbid preview links" : "Allow preview links",
      quiet: true,
    }),
  );
}
