import { renderConsoleAccountPage, renderEmailChangePage } from "../../../api/pages/console/account-page.ts";
import { renderConsoleAgentPage } from "../../../api/pages/console/agent-page.ts";
import { renderConsoleAuditPage } from "../../../api/pages/console/audit-page.ts";
import { renderConsoleBlocksPage } from "../../../api/pages/console/blocks-page.ts";
import { renderBrokenRequestPage, renderConsentPage } from "../../../api/pages/console/consent-page.ts";
import { renderConsolePage } from "../../../api/pages/console/dashboard-page.ts";
import { renderModeratedAgentPage } from "../../../api/pages/console/moderated-parts.ts";
import { renderModeratedWorkPage } from "../../../api/pages/console/moderated-work-page.ts";
import { renderConsoleModerationPage } from "../../../api/pages/console/moderation-page.ts";
import { renderConsoleReadsPage } from "../../../api/pages/console/reads-page.ts";
import { renderRemovedRevisionPage } from "../../../api/pages/console/revisions.ts";
import { renderConsoleTopicsPage } from "../../../api/pages/console/topics-page.ts";
import { renderConsoleWorkPage } from "../../../api/pages/console/work-page.ts";
import { renderConsoleWorksPage } from "../../../api/pages/console/works-page.ts";
import {
  ACCOUNT,
  AGENT,
  CODE,
  CONNECTIONS,
  CONSENT,
  DECISION_FAULT,
  DECISIONS,
  DETAILS,
  FRAME,
  FRESH,
  KEPT_FILES,
  PENDING,
  PREVIEWS,
  READS,
  REMOVED,
  REPORTS,
  REVISION,
  TIME,
  WORK,
} from "./console-views.ts";
import { FRONT } from "./front-samples.ts";

/** Every page of the console from a sample view, changed before it is rendered. */
export function renderConsoleSamples(change: <V>(view: V) => V): Record<string, string> {
  return {
    console: renderConsolePage(
      change({
        ...FRAME,
        agents: [AGENT, { ...AGENT, id: "y", handle: "second" }, PENDING],
        codes: [CODE, { ...CODE, id: "y", handle: null }],
        freshCode: FRESH,
        fault: null,
        handle: null,
      }),
    ),
    consoleAgent: renderConsoleAgentPage(
      change({ ...FRAME, agent: { ...AGENT, ...DETAILS, status: "paused" as const }, freshCode: FRESH }),
    ),
    consolePendingAgent: renderConsoleAgentPage(
      change({ ...FRAME, agent: { ...PENDING, ...DETAILS, tokens: [] }, freshCode: null }),
    ),
    consent: renderConsentPage(change({ ...CONSENT, site: FRAME.site })),
    consentLocal: renderConsentPage(
      change({
        ...{ ...CONSENT, site: FRAME.site, agents: [], chosen: { agent: "new", handle: "x" } },
        client: { name: "Inspector", host: null, kind: "registered" as const },
        redirect: { host: "localhost", isLocal: true },
        fault: { field: "handle", message: "The handle x is taken." },
      }),
    ),
    consentFull: renderConsentPage(
      change({
        ...{ ...CONSENT, site: FRAME.site },
        client: { name: "Tide Bot", host: "xn--exmple-cua.org", kind: "document" as const },
        full: { handle: "tidewatch", connections: CONNECTIONS },
      }),
    ),
    brokenRequest: renderBrokenRequestPage(FRAME.site, "The redirect_uri is none of those."),
    consoleWorks: renderConsoleWorksPage(
      change({
        ...FRAME,
        agent: AGENT,
        works: [
          {
            ...WORK,
            state: "draft",
            visibility: "private" as const,
            revision_number: 3,
            live_number: 2,
            saved_at: TIME,
            scheduled_for: TIME,
          },
        ],
        total: 51,
        links: { prev: "/console/agents/x/works?page=1", next: "/console/agents/x/works?page=3" },
      }),
    ),
    consoleWork: renderConsoleWorkPage(
      change({
        ...FRAME,
        agent: AGENT,
        work: {
          ...WORK,
          handle: "tidewatch",
          visibility: "public" as const,
          url: FRONT.url,
          erased_at: null,
          first_published_at: TIME,
          retracted: null,
          schedule: {
            status: "pending",
            publish_at: TIME,
            number: 3,
            visibility: "unlisted" as const,
            outcome_detail: null,
          },
          decisions: DECISIONS,
          reads: READS,
          previews: PREVIEWS,
          revisions: [
            { ...REVISION, number: 3, live: true, removable: false },
            { ...REVISION, number: 2 },
            { ...REVISION, ...REMOVED, removable: false },
          ],
        },
      }),
    ),
    consoleReads: renderConsoleReadsPage(
      change({ ...FRAME, agent: AGENT, reads: READS, works: [{ ...WORK, ...READS }] }),
    ),
    removedRevision: renderRemovedRevisionPage(
      change({
        ...FRAME,
        room: "Agents" as const,
        workUrl: "/console/works/w",
        work: { ...WORK, handle: "tidewatch" },
        revision: { ...REVISION, ...REMOVED, checksum: "a".repeat(64) },
        decisions: DECISIONS,
      }),
    ),
    consoleAudit: renderConsoleAuditPage(
      change({
        ...FRAME,
        entries: [
          {
            at: TIME,
            who: "agent" as const,
            action: "creation.publish",
            agent: "tidewatch",
            subject_kind: "creation",
            subject_id: "w",
            detail: { visibility: "public" },
            request_id: null,
            room: "works" as const,
          },
        ],
        filter: { agent: "", who: "agent", about: "", from: "2026-11-01", to: "" },
        choices: { agents: [AGENT], who: ["agent", "owner"], about: ["creation"] },
        exports: { csv: "/console/audit.csv?who=agent", lines: "/console/audit.ndjson?who=agent" },
        next: "/console/audit?before=9",
      }),
    ),
    consoleAccount: renderConsoleAccountPage(change({ ...FRAME, ...ACCOUNT })),
    consoleEmail: renderEmailChangePage(
      change({ ...FRAME, email: "new@example.net", action: "/console/email/x" }),
    ),
    ...renderModeration(change),
  };
}

function renderModeration(change: <V>(view: V) => V): Record<string, string> {
  const about = { agent_id: "a", creation_id: "w", handle: "tidewatch", title: "November surge" };
  const reported = { ...about, count: 3, reasons: ["It is spam"], first_at: TIME, last_at: TIME };
  const topic = { id: "t", slug: "climate", label: "Climate", description: null, enabled: true };
  const work = {
    ...WORK,
    agent_id: "a",
    handle: "tidewatch",
    visibility: "public" as const,
    url: FRONT.url,
    erased_at: null,
    first_published_at: TIME,
    retracted: null,
    schedule: null,
    revisions: [
      { ...REVISION, number: 3, live: true, removable: false },
      { ...REVISION, number: 2 },
      { ...REVISION, content_removed_at: TIME, content_removed_by: "moderator" as const, removable: false },
    ],
    reports: REPORTS,
    decisions: DECISIONS,
  };
  const agent = {
    id: "a",
    handle: "tidewatch",
    display_name: "Tide Watch",
    status: "suspended" as const,
    erased_at: null,
    front_page: "open" as const,
    owner: { id: "o", alias: "Nora", status: "active" as const },
    reports: REPORTS,
    decisions: DECISIONS,
    url: FRONT.url,
  };
  return {
    moderation: renderConsoleModerationPage(
      change({
        ...FRAME,
        reported: [reported, { ...reported, creation_id: null, title: null }],
        total: 51,
        closed: [
          { ...about, kind: "creation" as const, closed_at: TIME },
          { ...about, kind: "erased_creation" as const, title: null, closed_at: TIME },
          { ...about, kind: "owner" as const, title: null, creation_id: null, closed_at: null },
        ],
        links: { prev: "/console/moderation?page=1", next: "/console/moderation?page=3" },
        found: [{ id: "a", handle: "tidewatch" }],
        lookedFor: "@nobody",
        fault: "There is no agent or published work at this address.",
      }),
    ),
    moderatedWork: renderModeratedWorkPage(
      change({ ...FRAME, work, fault: DECISION_FAULT, keptFiles: KEPT_FILES }),
    ),
    moderatedAgent: renderModeratedAgentPage(change({ ...FRAME, agent, fault: null })),
    moderationBlocks: renderConsoleBlocksPage(
      change({
        ...FRAME,
        blocks: [
          {
            ...{ id: "01M7WTZ900ZT61DVV9HAWP9BWQ", kind: "network", value: "203.0.113.0/24" },
            ...{ state: "active", reason: "A flood.", until_at: TIME, created_at: TIME },
          },
        ],
        older: "/console/moderation/blocks?cursor=01M7WTZ900ZT61DVV9HAWP9BWQ",
        fault: "The network must be an address.",
        given: { kind: "network", value: "203.0.113", reason: "A flood.", until: "" },
      }),
    ),
    moderationTopics: renderConsoleTopicsPage(
      change({
        ...FRAME,
        topics: [topic, { ...topic, slug: "tides", label: "Tides", enabled: false }],
        fault: { slug: null, message: "There is a topic tides already." },
        given: { slug: "tides", label: "Tides" },
      }),
    ),
  };
}
