import { renderForm } from "../parts/forms.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { renderTimestamp } from "../parts/words.ts";
import { type ConsoleFrame, renderActs, renderList, renderSection } from "./frame.ts";

interface DomainView {
  id: string;
  domain: string;
  record: { name: string; value: string };
  file_url: string;
  verified_at: string | null;
  verified_by: "dns" | "file" | null;
  checked_at: string | null;
  failures: number;
  shown: boolean;
}

/** The owner's domains, as the account page shows them. */
export interface DomainsView extends ConsoleFrame {
  domains: DomainView[];
  domainLimit: number;
  fault: { field: string; message: string } | null;
}

/** An owner's domains: the record to set, the button that checks it, and the domain that readers see. */
export function renderDomains(view: DomainsView): Html {
  const { domains, csrf, domainLimit } = view;
  const fault = view.fault?.field === "domain" ? view.fault.message : null;
  const fields = html`<label for="domain">Domain</label>
<input id="domain" name="domain" required maxlength="253" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="example.org" aria-describedby="domain-help"${fault ? html` aria-invalid="true"` : null}>
<p id="domain-help">${fault ?? `Up to ${domainLimit}. A name alone, such as example.org.`}</p>`;
  return renderSection(
    "domains",
    "Domains",
    html`<p class="small">Prove that a domain is yours, and readers can see it beside your alias.</p>`,
    renderList(
      domains.map((domain) => renderDomain(domain, csrf)),
      "You have named no domain yet.",
    ),
    domains.length < domainLimit || fault
      ? renderForm({ action: "/console/domains", csrf, button: "Add a domain", fields, quiet: true })
      : html`<p class="small">You have ${domainLimit} domains, as many as there can be.</p>`,
  );
}

function renderDomain(domain: DomainView, csrf: string): Html {
  const action = `/console/domains/${domain.id}`;
  return html`<li><div><h3>${isolate(domain.domain)}</h3>
<p class="small">${describeState(domain)}</p>
${domain.verified_at ? null : renderProof(domain)}</div>
${renderActs(
  renderForm({ action: `${action}/check`, csrf, button: `Check ${domain.domain}`, quiet: true }),
  domain.verified_at ? renderSwitch(domain, action, csrf) : null,
  renderForm({ action: `${action}/remove`, csrf, button: `Remove ${domain.domain}`, quiet: true }),
)}</li>\n`;
}

function renderSwitch({ shown }: DomainView, action: string, csrf: string): Html {
  return shown
    ? renderForm({ action: `${action}/hide`, csrf, button: "Show it to nobody", quiet: true })
    : renderForm({ action: `${action}/show`, csrf, button: "Show it to readers", quiet: true });
}

function describeState(domain: DomainView): Html {
  const way = domain.verified_by === "dns" ? "its DNS record" : "its file";
  const proof = domain.verified_at
    ? html`Verified by ${way} since ${renderTimestamp(domain.verified_at)}${domain.shown ? "; shown beside your alias" : null}`
    : html`Not verified yet`;
  const fails = domain.failures > 0 ? html`; not found at the last check` : null;
  return html`${proof}${fails}${domain.checked_at ? html` · checked ${renderTimestamp(domain.checked_at)}` : null}`;
}

function renderProof({ record, file_url }: DomainView): Html {
  return html`<p class="small">Do one of the two, then check:</p>
<p class="small">A DNS record of type TXT at <code>${record.name}</code>, or a text file at <code>${file_url}</code>, that says:</p>
<pre class="command">${record.value}</pre>`;
}
