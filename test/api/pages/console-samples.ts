import { renderConsoleAccountPage } from "../../../api/pages/console/account-page.ts";
import { renderConsoleAgentPage } from "../../../api/pages/console/agent-page.ts";
import { renderConsoleAuditPage } from "../../../api/pages/console/audit-page.ts";
import { renderConsolePage } from "../../../api/pages/console/dashboard-page.ts";
import { renderEmailChangePage } from "../../../api/pages/console/email-change-page.ts";
import { renderModeratedAgentPage } from "../../../api/pages/console/moderated-agent-page.ts";
import { renderModeratedWorkPage } from "../../../api/pages/console/moderated-work-page.ts";
import { renderConsoleModerationPage } from "../../../api/pages/console/moderation-page.ts";
import { renderRemovedRevisionPage } from "../../../api/pages/console/removed-revision-page.ts";
import { renderConsoleTopicsPage } from "../../../api/pages/console/topics-page.ts";
import { renderConsoleWorkPage } from "../../../api/pages/console/work-page.ts";
import { renderConsoleWorksPage } from "../../../api/pages/console/works-page.ts";
import { FRONT } from "./front-samples.ts";
import { SITE } from "./samples.ts";

const TIME = "2026-11-20T16:40:11Z";
const FRAME = {
  site: SITE,
  csrf: "csrf-token",
  owner: { email: "nora@example.net", alias: "Nora", suspended: true, moderator: true },
};
const AGENT = {
  id: "01M7WTZ900ZT61DVV9HAWP9BW6",
  handle: "tidewatch",
  display_name: "Tide Watch",
  status: "active" as const,
  last_seen_at: TIME,
  creation_count: 14,
  url: FRONT.url,
};
const PENDING = {
  ...AGENT,
  id: "x",
  handle: "sirens",
  display_name: null,
  status: "pending_claim" as const,
  last_seen_at: null,
  creation_count: 0,
  url: null,
};
const FRESH = {
  code: "bse_7K3QW9-XH2MDA-5TPC8V-RE4NBY",
  handle: "ledger",
  reconnects: false,
  expires_at: TIME,
  siteUrl: "https://example.org",
  baseUrl: "https://example.org/api/v1",
};
const CODE = { id: "x", handle: "ledger", reconnects: true, created_at: TIME, expires_at: TIME };
const USE = { used: 3, limit: 20 };
const DECISIONS = [
  { at: TIME, who: "moderator" as const, action: "agent.hide", reason: "It copies another agent's page." },
  { at: TIME, who: "command" as const, action: "agent.unhide", reason: null },
];
const REPORTS = [
  { id: "r1", reason: "It is spam", note: "The second table sells things.", at: TIME, closed_at: null },
  { id: "r2", reason: "Something else", note: null, at: TIME, closed_at: TIME },
];
const DECISION_FAULT = { message: "Say why.", act: "hide", reason: "x" };
const DETAILS = {
  decisions: DECISIONS,
  created_at: TIME,
  claimed_at: TIME,
  paused_at: TIME,
  has_front_page: true,
  abilities: ["agent:read", "creations:publish"],
  redeemed: { from: "203.0.113.9", at: TIME },
  use: {
    creations: USE,
    files: USE,
    storage_bytes: USE,
    publications_today: USE,
    updates_today: USE,
    resets_at: TIME,
  },
  tokens: [
    { id: "t1", prefix: "bst_7K3Q", abilities: [], created_at: TIME, last_used_at: TIME, expires_at: null },
    { id: "t2", prefix: "bst_XH2M", abilities: [], created_at: TIME, last_used_at: null, expires_at: TIME },
  ],
};
const REVISION = {
  number: 1,
  title: "November surge",
  state: "published",
  live: false,
  change_summary: "Newer figures.",
  saved_at: TIME,
  published_at: TIME,
  content_removed_at: null,
  content_removed_by: null,
  files_deleted_at: TIME,
  removable: true,
};
const REMOVED = { content_removed_at: TIME, content_removed_by: "owner" as const };
const DOMAIN = {
  id: "d1",
  domain: "tides.example.net",
  record: { name: "_broadsheet.tides.example.net", value: "broadsheet-verify=x" },
  file_url: "https://tides.example.net/.well-known/broadsheet.txt",
  verified_at: null,
  verified_by: null,
  checked_at: TIME,
  failures: 0,
  shown: false,
};
const WORK = { id: "w", type: "story" as const, title: "November surge", hidden: false };

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
          first_published_at: TIME,
          schedule: {
            status: "pending",
            publish_at: TIME,
            number: 3,
            visibility: "unlisted" as const,
            outcome_detail: null,
          },
          decisions: DECISIONS,
          revisions: [
            { ...REVISION, number: 3, live: true, removable: false },
            { ...REVISION, number: 2 },
            { ...REVISION, ...REMOVED, removable: false },
          ],
        },
      }),
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
          },
        ],
        filter: { agent: "", who: "agent", about: "", from: "2026-11-01", to: "" },
        choices: { agents: [AGENT], who: ["agent", "owner"], about: ["creation"] },
        exports: { csv: "/console/audit.csv?who=agent", lines: "/console/audit.ndjson?who=agent" },
        next: "/console/audit?before=9",
      }),
    ),
    consoleAccount: renderConsoleAccountPage(
      change({
        ...FRAME,
        showAlias: true,
        sessions: [
          {
            id: "s1",
            current: true,
            method: "link" as const,
            user_agent: "Mozilla/5.0",
            address: "203.0.113.9",
            created_at: TIME,
            last_used_at: TIME,
          },
          {
            id: "s2",
            current: false,
            method: "passkey" as const,
            user_agent: null,
            address: null,
            created_at: TIME,
            last_used_at: null,
          },
        ],
        domains: [
          { ...DOMAIN, shown: true, verified_at: TIME, verified_by: "dns" as const },
          { ...DOMAIN, id: "d2", verified_at: TIME, verified_by: "file" as const },
          { ...DOMAIN, id: "d3", failures: 1 },
        ],
        domainLimit: 5,
        exports: {
          waiting_since: TIME,
          failure: null,
          archive: {
            id: "e1",
            made_at: TIME,
            expires_at: TIME,
            bytes: 18_200_000,
            sha256: "9f2c6c7b".repeat(8),
          },
        },
        exportDays: 7,
        passkeys: [{ id: "p1", name: "my phone", created_at: TIME, last_used_at: TIME }],
        fault: { field: "alias", message: "Another owner shows this alias; choose another one, or hide it." },
        done: "A link is on its way.",
      }),
    ),
    consoleEmail: renderEmailChangePage(
      change({ ...FRAME, email: "new@example.net", action: "/console/email/x" }),
    ),
    ...renderModeration(change),
  };
}

function renderModeration(change: <V>(view: V) => V): Record<string, string> {
  const about = { agent_id: "a", creation_id: "w", handle: "tidewatch", title: "November surge" };
  const reported = { ...about, count: 3, reasons: ["It is spam"], first_at: TIME, last_at: TIME };
  const topic = { slug: "climate", label: "Climate", enabled: true };
  const work = {
    ...WORK,
    agent_id: "a",
    handle: "tidewatch",
    visibility: "public" as const,
    url: FRONT.url,
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
    front_page: "open" as const,
    owner: { alias: "Nora", status: "active" as const },
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
          { ...about, kind: "owner" as const, title: null, creation_id: null, closed_at: null },
        ],
        links: { prev: "/console/moderation?page=1", next: "/console/moderation?page=3" },
        lookedFor: "@nobody",
        fault: "There is no agent or published work at this address.",
      }),
    ),
    moderatedWork: renderModeratedWorkPage(change({ ...FRAME, work, fault: DECISION_FAULT })),
    moderatedAgent: renderModeratedAgentPage(change({ ...FRAME, agent, fault: null })),
    moderationTopics: renderConsoleTopicsPage(
      change({
        ...FRAME,
        topics: [topic, { slug: "tides", label: "Tides", enabled: false }],
        fault: { slug: null, message: "There is a topic tides already." },
        given: { slug: "tides", label: "Tides" },
      }),
    ),
  };
}
