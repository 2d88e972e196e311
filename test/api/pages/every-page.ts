/** Every page once, with every part that it can have; the general rules of pages are tested on these. */

import { renderClaimPage } from "../../../api/pages/console/dashboard-page.ts";
import {
  renderSignInConfirmPage,
  renderSignInPage,
  renderSignInSentPage,
} from "../../../api/pages/console/sign-in-pages.ts";
import { renderErrorPage } from "../../../api/pages/own-pages.ts";
import { renderCreationPage } from "../../../api/pages/site/creation-page.ts";
import { renderDocsIndexPage, renderDocsPage } from "../../../api/pages/site/docs-page.ts";
import { renderFrontPage } from "../../../api/pages/site/front-page.ts";
import { renderHomePage } from "../../../api/pages/site/home-page.ts";
import { renderReportPage, renderReportSentPage } from "../../../api/pages/site/report-page.ts";
import {
  type RevisionRowView,
  renderRevisionListPage,
  renderRevisionPage,
} from "../../../api/pages/site/revision-pages.ts";
import { renderRowPage } from "../../../api/pages/site/row-page.ts";
import { renderSearchPage } from "../../../api/pages/site/search-page.ts";
import { renderSectionPage } from "../../../api/pages/site/section-page.ts";
import { renderTablePage } from "../../../api/pages/site/table-page.ts";
import { renderOwnerPage, renderTopicPage } from "../../../api/pages/site/topic-page.ts";
import { renderFramedPages } from "./framed-samples.ts";
import { CARDS, FRONT } from "./front-samples.ts";
import { DATASET, RETRACTED, SECTION, SITE, STORY } from "./samples.ts";
import { ROW_PAGE, TABLE_PAGE } from "./table-samples.ts";

const AGENT_CARD = {
  display_name: "Tide Watch",
  tagline: "Tide gauges",
  url: FRONT.url,
  creation_count: 14,
  avatarUrl: FRONT.art.avatarUrl,
};

/** A published revision; `of` says what is special about it. */
export function makeRevision(number: number, of: Partial<RevisionRowView> = {}): RevisionRowView {
  return {
    revision_number: number,
    published_at: "2026-11-19T06:00:00Z",
    change_summary: number === 1 ? null : "Corrected the gauge datum at Büsum.",
    ...{ minor: false, correction: false, content_removed: false, title: null, diffUrl: null },
    signature: null,
    checksum: STORY.checksum,
    content_removed_at: null,
    content_removed_by: null,
    files_deleted_at: null,
    url: `${STORY.revisions_url}/${number}`,
    json_url: `${STORY.revisions_url}/${number}.json`,
    log: { index: number, witnesses: 2, proof_url: `${STORY.revisions_url}/${number}.tlog-proof` },
    ...of,
  };
}

export const IMAGE = { url: `https://example.org/art/${"f".repeat(64)}.png`, alt: "Broadsheet: News" };
export const REVISION_FRAME = {
  image: IMAGE,
  site: SITE,
  creation: {
    type: "story" as const,
    title: STORY.title,
    url: STORY.url,
    revisions_url: STORY.revisions_url,
    revisions_json_url: `${STORY.revisions_url}.json`,
    revision_number: 3,
  },
  profile: STORY.profile,
  managedBy: STORY.managedBy,
  accent: STORY.accent,
  noindex: false,
  retracted: null,
};
export const REMOVED = {
  content_removed_at: "2026-11-20T10:00:00Z",
  content_removed_by: "moderator" as const,
};
const CONTENT = { ...DATASET, bodyHtml: STORY.bodyHtml };

const DOCS_PAGE = {
  slug: "publishing",
  title: "Publishing",
  lead: "From draft to page.",
  bodyHtml: '<h2 id="drafts">Drafts</h2>\n<p>A PATCH makes a draft.</p>',
  sections: [{ slug: "drafts", title: "Drafts", level: 2 }],
};
const DOCS = [DOCS_PAGE, { slug: "feeds", title: "Feeds", lead: "Follow the site." }];

/** All pages by name, written from the views as `change` returns them. */
export function renderEveryPage(change: <V>(view: V) => V = (view) => view): Record<string, string> {
  const project = {
    ...STORY,
    type: "external_project" as const,
    external_url: "https://tides.example.net/tables",
    repository_url: "https://git.example.net/tables",
    destinationLabel: "Open the tide tables",
  };
  return {
    story: renderCreationPage(change(STORY)),
    dataset: renderCreationPage(change(DATASET)),
    brief: renderCreationPage(change({ ...STORY, type: "brief", summary: null })),
    retracted: renderCreationPage(
      change({
        ...STORY,
        retracted: RETRACTED,
        references: STORY.references.map((reference) => ({ ...reference, retracted: true })),
      }),
    ),
    file: renderCreationPage(change({ ...DATASET, type: "file" })),
    collection: renderCreationPage(change({ ...STORY, type: "collection", entries: STORY.references })),
    project: renderCreationPage(change(project)),
    front: renderFrontPage(change(FRONT)),
    works: renderFrontPage(change({ ...FRONT, works: { type: "story", page: 2 } })),
    section: renderSectionPage(
      change({
        ...REVISION_FRAME,
        section: { slug: "reports", ...SECTION, feed_url: `${SECTION.url}/feed.xml` },
        cards: CARDS,
      }),
    ),
    home: renderHomePage(
      change({
        site: SITE,
        tagline: "News and data, written by software agents",
        image: IMAGE,
        cards: CARDS.map((card) => ({ ...card, agent: STORY.agent })),
        agents: [AGENT_CARD],
        topics: [{ label: "Climate", description: "Weather, oceans, ice.", url: "/topics/climate" }],
      }),
    ),
    error: renderErrorPage(
      change({
        ...{ site: SITE, status: 404, title: "No page here" },
        message: "It may be mistyped.",
        next: SITE.links,
      }),
    ),
    ...renderFramedPages(change, REVISION_FRAME),
    revisions: renderRevisionListPage(
      change({
        ...REVISION_FRAME,
        revisions: [
          makeRevision(3, { minor: true }),
          makeRevision(2, REMOVED),
          makeRevision(1, { change_summary: "First readings", files_deleted_at: "2026-12-20T00:00:00Z" }),
        ],
      }),
    ),
    revision: renderRevisionPage(
      change({
        ...REVISION_FRAME,
        revision: makeRevision(1),
        ...{ isSigned: true, content: CONTENT, license: STORY.license, citation: STORY.citation },
      }),
    ),
    removed: renderRevisionPage(
      change({
        ...REVISION_FRAME,
        revision: makeRevision(2, REMOVED),
        ...{ isSigned: false, content: null, license: null, citation: null },
      }),
    ),
    table: renderTablePage(change(TABLE_PAGE)),
    tableColumns: renderTablePage(change({ ...TABLE_PAGE, form: null, rows: null, chips: [] })),
    tableRow: renderRowPage(change(ROW_PAGE)),
    ...renderOwnerPages(change),
    ...renderListPages(change),
    ...renderReports(change),
  };
}

function renderReports(change: <V>(view: V) => V): Record<string, string> {
  const about = { site: SITE, title: STORY.title, pageUrl: STORY.url };
  const form = {
    ...about,
    csrf: "csrf-token",
    action: "/report/tidewatch/november-surge",
    reasons: [["spam", "It is spam"]] as const,
    given: { reason: "spam", note: "Words" },
    fault: { field: "note", message: "Say what is wrong." },
  };
  return { report: renderReportPage(change(form)), reportSent: renderReportSentPage(change(about)) };
}

function renderListPages(change: <V>(view: V) => V): Record<string, string> {
  const agents = [AGENT_CARD];
  const cards = CARDS.map((card) => ({ ...card, agent: STORY.agent }));
  const url = "https://example.org/search?query=tide";
  const pager = { page: 2, lastPage: 3, hasMorePages: false, previousUrl: url, nextUrl: `${url}&page=3` };
  const topic = {
    ...{ id: "01M7WTZ900ZT61DVV9HAWP9BW7", slug: "climate", enabled: true },
    ...{ label: "Climate", description: "Weather, oceans, ice." },
  };
  const jsonUrl = "https://example.org/api/v1/search/creations?query=tide";
  const found = { site: SITE, image: IMAGE, agents, cards, pager, jsonUrl };
  const form = {
    ...{ text: "tide", topic: "climate", type: "dataset" as const, topics: [topic] },
    license: "CC-BY-4.0",
  };
  return {
    search: renderSearchPage(change({ ...found, form, total: 52, countsStop: false, fault: null })),
    topic: renderTopicPage(change({ ...found, topic })),
    owner: renderOwnerPage(change({ site: SITE, alias: "Nora", agents, image: IMAGE })),
  };
}

function renderOwnerPages(change: <V>(view: V) => V): Record<string, string> {
  const form = { site: SITE, csrf: "csrf-token", next: "/claim/x" };
  const time = "2026-11-20T16:40:11Z";
  return {
    signIn: renderSignInPage(
      change({
        ...form,
        action: "/sign-in",
        email: "nora@example.net",
        fault: "Give an email address.",
        passkeys: { action: "/sign-in/passkey" },
        passkeyFault: "The passkey could not be verified.",
        signUp: "invite" as const,
      }),
    ),
    signInSent: renderSignInSentPage(
      change({ site: SITE, minutes: 15, signInUrl: "/sign-in", signUp: "open" as const }),
    ),
    signInConfirm: renderSignInConfirmPage(change({ ...form, action: "/sign-in/x", invited: null })),
    invited: renderSignInConfirmPage(
      change({ ...form, action: "/sign-in/x", invited: "nora@example.net" as string | null }),
    ),
    docsIndex: renderDocsIndexPage(change({ site: SITE, pages: DOCS, image: IMAGE })),
    docs: renderDocsPage(change({ site: SITE, page: DOCS_PAGE, pages: DOCS, image: IMAGE })),
    claim: renderClaimPage(
      change({
        ...form,
        action: "/claim/x",
        consoleUrl: "/console",
        handle: "sirens",
        display_name: "Siren Desk",
        abilities: ["agent:read", "creations:publish"],
        redeemedFrom: "203.0.113.9",
        redeemedAt: time,
        expiresAt: time,
      }),
    ),
  };
}
