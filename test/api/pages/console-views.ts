/** What the sample pages of the console show; every text was written for these tests. */

import { toReadsView } from "../../../api/pages/console/reads-page.ts";
import { FRONT } from "./front-samples.ts";
import { SITE } from "./samples.ts";

export const TIME = "2026-11-20T16:40:11Z";
export const FRAME = {
  site: SITE,
  csrf: "csrf-token",
  owner: { email: "nora@example.net", alias: "Nora", suspended: true, moderator: true },
};
export const AGENT = {
  id: "01M7WTZ900ZT61DVV9HAWP9BW6",
  handle: "tidewatch",
  display_name: "Tide Watch",
  status: "active" as const,
  last_seen_at: TIME,
  creation_count: 14,
  error_count: 1,
  has_front_page: true,
  url: FRONT.url,
};
export const PENDING = {
  ...AGENT,
  id: "x",
  handle: "sirens",
  display_name: null,
  status: "pending_claim" as const,
  last_seen_at: null,
  creation_count: 0,
  error_count: 0,
  url: null,
};
export const FRESH = {
  code: "bse_7K3QW9-XH2MDA-5TPC8V-RE4NBY",
  handle: "ledger",
  reconnects: false,
  expires_at: TIME,
  siteUrl: "https://example.org",
  baseUrl: "https://example.org/api/v1",
};
export const CODE = { id: "x", handle: "ledger", reconnects: true, created_at: TIME, expires_at: TIME };
const USE = { used: 3, limit: 20 };
export const DECISIONS = [
  { at: TIME, who: "moderator" as const, action: "agent.hide", reason: "It copies another agent's page." },
  { at: TIME, who: "command" as const, action: "agent.unhide", reason: null },
];
export const REPORTS = [
  { id: "r1", reason: "It is spam", note: "The second table sells things.", at: TIME, closed_at: null },
  { id: "r2", reason: "Something else", note: null, at: TIME, closed_at: TIME },
];
export const DECISION_FAULT = { message: "Say why.", act: "hide", reason: "x" };
const DAYS = ["2026-11-19", "2026-11-20"].map((day, at) => {
  return { day, page: 40 + at, markdown: 0, json: 12, rows: 0, download: 3 * at, robots: 7 };
});
const READ_SUMS = { page: 81, markdown: 0, json: 24, rows: 0, download: 3, robots: 14 };
export const READS = toReadsView({ data: DAYS, meta: READ_SUMS });
const STAYING = { file_id: "01M7WVM8W0T8NYB19BE1ATAT9N", filename: "gauges.csv" };
export const KEPT_FILES = [
  { ...STAYING, creation_id: "b", address: "@tidewatch/b", draft: false },
  { ...STAYING, creation_id: "c", address: "@tidewatch/c", draft: true },
];
export const PREVIEWS = ["p", "q"].map((id) => ({ id, revision_number: 3, made_at: TIME, expires_at: TIME }));
export const CONNECTIONS = [
  {
    client: "Claude",
    client_host: "claude.ai",
    redirect_host: "claude.ai",
    last_used_at: TIME,
    expires_at: TIME,
  },
  {
    client: "Inspector",
    client_host: null,
    redirect_host: "localhost",
    last_used_at: null,
    expires_at: null,
  },
].map((connection) => ({
  grant_id: "01M7WVF0X0EWYK85KQZG63XAZH",
  abilities: ["agent:read", "creations:publish"],
  created_at: TIME,
  ...connection,
}));
export const CONSENT = {
  csrf: "csrf",
  action: "/oauth/authorize?client_id=x",
  owner: "Nora",
  client: { name: "Claude", host: "claude.ai", kind: "document" as const },
  redirect: { host: "claude.ai", isLocal: false },
  abilities: ["agent:read" as const, "creations:publish" as const],
  agents: [
    { id: "01M7WVF0X0EWYK85KQZG63XAZG", handle: "tidewatch", display_name: "Tide Watch" },
    { id: "01M7WVF0X0EWYK85KQZG63XAZH", handle: "second", display_name: null },
  ],
  chosen: null,
  fault: null,
  full: null,
};
export const DETAILS = {
  errors: [
    {
      id: "01M7WVF0X0EWYK85KQZG63XAZG",
      creation_id: "01M7WVCCXGEVQM8BZ45NSYPBF2",
      title: "November surge",
      note: "The gauge of Emden stands in Knock.",
      created_at: TIME,
    },
  ],
  previews: { allowed: true, open: 2 },
  connections: CONNECTIONS,
  events: {
    allowed: true,
    subscriptions: [
      {
        ...{ id: "01M7WTZ900ZT61DVV9HAWP9BWP", type: "creation.updated", host: "hooks.example.org" },
        ...{ created_at: "2026-11-20T09:00:00Z", expires_at: "2026-11-20T10:00:00Z" },
      },
    ],
  },
  decisions: DECISIONS,
  created_at: TIME,
  claimed_at: TIME,
  paused_at: TIME,
  abilities: ["agent:read", "creations:publish"],
  redeemed: { from: "203.0.113.9", at: TIME },
  use: {
    creations: USE,
    files: USE,
    storage_bytes: USE,
    text_bytes: USE,
    publications_today: USE,
    updates_today: USE,
    resets_at: TIME,
  },
  tokens: [
    { id: "t1", prefix: "bst_7K3Q", abilities: [], created_at: TIME, last_used_at: TIME, expires_at: null },
    { id: "t2", prefix: "bst_XH2M", abilities: [], created_at: TIME, last_used_at: null, expires_at: TIME },
  ],
  leaked: [{ prefix: "bst_9DKX", ended_at: TIME }],
};
export const REVISION = {
  id: "01M7WVPWVGMSBKHZH2TJVW0KA3",
  number: 1,
  title: "November surge",
  state: "published" as const,
  live: false,
  change_summary: "Newer figures.",
  saved_at: TIME,
  published_at: TIME,
  content_removed_at: null,
  content_removed_by: null,
  files_deleted_at: TIME,
  owner_reviewed_at: TIME,
  removable: true,
};
export const REMOVED = { content_removed_at: TIME, content_removed_by: "owner" as const };
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
export const WORK = { id: "w", type: "story" as const, title: "November surge", hidden: false };

export const ACCOUNT = {
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
      expires_at: TIME,
    },
    {
      id: "s2",
      current: false,
      method: "passkey" as const,
      user_agent: null,
      address: null,
      created_at: TIME,
      last_used_at: null,
      expires_at: TIME,
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
  invitations: {
    sent: (["open", "used", "revoked", "expired"] as const).map((state) => ({
      ...{ id: `i-${state}`, state, email: "mara@example.net", created_at: TIME, expires_at: TIME },
      used_at: state === "used" ? TIME : null,
    })),
    ...{ count: 4, limit: 10, days: 30 },
  },
  passkeys: [{ id: "p1", name: "my phone", created_at: TIME, last_used_at: TIME }],
  fault: { field: "alias", message: "Another owner shows this alias; choose another one, or hide it." },
  done: "A link is on its way.",
};
