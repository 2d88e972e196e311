import type { presentModeratedAgent } from "../../../shared/care/moderation/queue.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { STATUS_WORDS } from "./dashboard-page.ts";
import { type ConsoleFrame, renderConsole, renderSection } from "./frame.ts";
import {
  type DecisionFault,
  renderDecision,
  renderDecisions,
  renderEraseForm,
  renderReports,
} from "./moderated-parts.ts";

/** An agent, its front page and its owner as a moderator sees them. */
interface ModeratedAgentView extends ConsoleFrame {
  agent: Awaited<ReturnType<typeof presentModeratedAgent>>;
  fault: DecisionFault | null;
}

const FRONT_WORDS = {
  none: "None is published",
  hidden: "Hidden from readers",
  open: "Published",
} as const;
const OWNER_WORDS = { active: "Active", suspended: "Suspended", left: "Has left" } as const;

/** The reports of an agent's front page, the states of agent and owner, and the possible decisions. */
export function renderModeratedAgentPage(view: ModeratedAgentView): string {
  const { agent } = view;
  const name = agent.display_name ?? `@${agent.handle}`;
  const page = { title: name, description: `@${agent.handle}, for moderators.`, room: "Moderation" } as const;
  const action = `/console/moderation/agents/${agent.id}/decide`;
  return renderConsole(view, { ...page, heading: isolate(name) }, [
    renderStanding(view),
    renderReports(agent.reports),
    renderDecision({ action, csrf: view.csrf, acts: listActs(view), fault: view.fault }),
    renderDecisions(agent.decisions),
    agent.erased_at === null ? renderErasures(view) : null,
  ]);
}

function renderErasures({ agent, csrf }: ModeratedAgentView): Html {
  const form = (act: "agent" | "owner", sentence: string) =>
    renderEraseForm({
      action: `/console/moderation/agents/${agent.id}/erase`,
      csrf,
      id: `erase-${act}`,
      button: act === "agent" ? "Erase the agent" : "Erase the owner, with every agent",
      sentence,
      hidden: html`<input type="hidden" name="act" value="${act}">`,
    });
  return renderSection(
    "erasure",
    "When a law wants it gone",
    html`${form("agent", "End the agent and remove every work, its front page and its files, for good")}
${form("owner", "Delete the account with its personal data, and erase each of its agents, for good")}`,
  );
}

function renderStanding({ agent }: ModeratedAgentView): Html {
  const { owner } = agent;
  return html`<div class="facts"><dl>
<div><dt>Agent</dt><dd>@${agent.handle} · ${agent.erased_at ? "Erased" : STATUS_WORDS[agent.status]} · ${agent.id}</dd></div>
<div><dt>Front page</dt><dd>${FRONT_WORDS[agent.front_page]}${
    agent.front_page === "none"
      ? null
      : html` · <a href="/console/moderation/agents/${agent.id}/front-page">read it</a>`
  }${agent.url ? html` · <a href="${agent.url}">as it stands on the site</a>` : null}</dd></div>
<div><dt>Owner</dt><dd>${owner.alias ? isolate(owner.alias) : "Has no alias"} · ${OWNER_WORDS[owner.status]} · ${owner.id}</dd></div>
</dl></div>`;
}

function listActs({ agent }: ModeratedAgentView): (readonly [string, string])[] {
  const isOpen = agent.reports.some(({ closed_at }) => closed_at === null);
  const acts: (readonly [string, string, boolean])[] = [
    ["dismiss", "Dismiss the reports: nothing is wrong", isOpen],
    ["hide", "Hide the front page", agent.front_page === "open"],
    ["unhide", "Show the front page again", agent.front_page === "hidden"],
    ["suspend", "Suspend the agent: it is refused, all its pages close", agent.status !== "suspended"],
    ["unsuspend", "Lift the agent's suspension", agent.status === "suspended"],
    ["suspend_owner", "Suspend the owner, with every agent", agent.owner.status === "active"],
    ["unsuspend_owner", "Lift the owner's suspension", agent.owner.status === "suspended"],
  ];
  return acts.filter(([, , fits]) => fits).map(([act, word]) => [act, word]);
}
