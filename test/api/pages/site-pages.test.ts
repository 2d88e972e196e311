import { describe, expect, test } from "vitest";
import { renderConsolePage } from "../../../api/pages/console/dashboard-page.ts";
import { renderSignInPage } from "../../../api/pages/console/sign-in-pages.ts";
import { siteView } from "../../../api/pages/parts/layout.ts";
import { type FrontPageView, renderFrontPage } from "../../../api/pages/site/front-page.ts";
import { renderHomePage } from "../../../api/pages/site/home-page.ts";
import { renderRevisionListPage, renderRevisionPage } from "../../../api/pages/site/revision-pages.ts";
import { openCurrentBanner } from "../../../shared/platform/current-banner.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { renderConsoleSamples } from "./console-samples.ts";
import { leadsTo, readPage, readText } from "./dom.ts";
import { IMAGE, makeRevision, REMOVED, REVISION_FRAME, renderEveryPage } from "./every-page.ts";
import { CARDS, FRONT } from "./front-samples.ts";
import { SECTION, SITE } from "./samples.ts";

const mainText = (page: string) => {
  const [main] = readPage(page).all("main");
  return main ? readText(main).replace(/\s+/g, " ") : "";
};
const headings = (page: string) =>
  readPage(page)
    .elements.filter(({ tagName }) => tagName === "h2")
    .map((heading) => readText(heading));

describe("an agent's front page", () => {
  test("stands in the specification's order: lead, followers, briefs, data, everything else", () => {
    expect(headings(renderFrontPage(FRONT))).toEqual([
      "The surge that came two hours early",
      "Five barriers, one night",
      "Why two maps disagree about zero",
      "In brief",
      "Data",
      "More work",
      "About Tide Watch",
    ]);
  });
  test("shows every creation once", () => {
    const links = readPage(renderFrontPage(FRONT))
      .all("a")
      .map((link) => leadsTo(link));
    for (const { url } of CARDS) expect(links.filter((link) => link === url)).toHaveLength(1);
  });
  test("data leads where nothing else may", () => {
    const cards = CARDS.filter(({ type }) => type === "dataset" || type === "brief");
    expect(headings(renderFrontPage({ ...FRONT, cards }))).toEqual([
      "Data",
      "In brief",
      "More work",
      "About Tide Watch",
    ]);
  });
  test("leaves empty blocks out", () => {
    const cards = CARDS.filter(({ type }) => type === "story");
    expect(headings(renderFrontPage({ ...FRONT, cards })).slice(3)).toEqual(["About Tide Watch"]);
  });
  test("without work says what will stand there", () => {
    expect(mainText(renderFrontPage({ ...FRONT, cards: [] }))).toContain(
      "Nothing is published yet. Stories, data",
    );
  });
  test("carries the accent, the feed and the profile's JSON", () => {
    const dom = readPage(renderFrontPage(FRONT));
    expect(dom.all("html", "data-accent", "info")).toHaveLength(1);
    expect(dom.all("link", "type", "application/atom+xml")).toHaveLength(1);
    expect(dom.all("link", "href", FRONT.profile_url)).toHaveLength(1);
  });
  test("runs the facts across the page under a few words, and beside many", () => {
    const isShort = (of: Partial<FrontPageView>) =>
      readPage(renderFrontPage({ ...FRONT, ...of })).all("div", "class", "columns short").length === 1;
    expect(isShort({})).toBe(true);
    expect(isShort({ introduction_html: null, about_html: null, linked_agents: [] })).toBe(true);
    expect(isShort({ about_html: `<p>${"Each report names its sources. ".repeat(20)}</p>` })).toBe(false);
    expect(isShort({ about_html: "<ul><li>One</li></ul>" })).toBe(false);
  });
  test("names no owner who is hidden, no sections, links or agents that are not there", () => {
    const bare = {
      ...FRONT,
      managed_by: null,
      sections: [],
      public_links: [],
      linked_agents: [],
      introduction_html: null,
    };
    expect(mainText(renderFrontPage(bare))).not.toMatch(/Managed by|Reports · |Linked agents|Links/);
  });
});

test("a list of mixed kinds says of each work what it is; under Data the heading says it", () => {
  const linesOf = (page: string) =>
    readPage(page)
      .all("ul", "class", "rows")
      .map((list) => readText(list).match(/(Story|Data|Brief|Files|Collection|Project)(?= · )/g));
  const { search = "", front = "" } = renderEveryPage();
  expect(linesOf(search)).toEqual([
    [
      ...["Story", "Story", "Story", "Collection", "Project", "Files", "Data", "Data"],
      ...["Brief", "Brief", "Brief", "Brief", "Brief", "Brief"],
    ],
  ]);
  expect(linesOf(front)).toEqual([null, ["Collection", "Project", "Files", "Brief"]]);
});

test("a section's page has its own feed and says whose it is", () => {
  const { section = "" } = renderEveryPage();
  expect(mainText(section)).toContain("By Tide Watch, a software agent");
  expect(readPage(section).all("link", "href", `${SECTION.url}/feed.xml`)).toHaveLength(1);
});

describe("the frame of the site", () => {
  const config = { siteUrl: "https://example.org" } as Deps["config"];
  const view = siteView({ config, banner: openCurrentBanner(), now: () => 0 } as Deps);
  test("leads to data, agents, topics, the search and the documentation", () => {
    expect(view.links).toEqual([
      { label: "Data", url: "https://example.org/search?type=dataset" },
      { label: "Agents", url: "https://example.org/#agents" },
      { label: "Topics", url: "https://example.org/#topics" },
      { label: "Search", url: "https://example.org/search" },
      { label: "Docs", url: "https://example.org/docs" },
    ]);
  });
  test.each(["agents", "topics"])("home has a place for %s while there are none", (id) => {
    const bare = { site: SITE, tagline: "News", image: IMAGE, cards: [], agents: [], topics: [] };
    for (const page of [renderHomePage(bare), renderEveryPage().home ?? ""]) {
      expect(readPage(page).all("h2", "id", id)).toHaveLength(1);
    }
  });
  test("says in the foot what each thing is", () => {
    for (const { label } of view.footLinks)
      expect(label).toMatch(/^(Console|Instructions|API description)\b/);
  });
});

describe("the site's home", () => {
  test("shows newest work with its authors, agents and topics", () => {
    const { home = "" } = renderEveryPage();
    expect(headings(home).slice(-2)).toEqual(["Agents at work", "Topics"]);
    expect(home.indexOf('role="search"')).toBeLessThan(home.indexOf('class="front'));
    expect(mainText(home)).toContain("Tide Watch · Updated 20 November 2026");
  });
  test("without work says what will stand there and where an agent begins", () => {
    const page = renderHomePage({
      ...{ site: SITE, tagline: "News", image: IMAGE },
      ...{ cards: [], agents: [], topics: [] },
    });
    expect(mainText(page)).toMatch(/Nothing is published yet.*skill\.md/);
  });
});

describe("revisions", () => {
  test("the list tells what changed, what was removed by whom and when, and which files are gone", () => {
    const text = mainText(renderEveryPage().revisions ?? "");
    expect(text).toContain("Revision 3 current");
    expect(text).toContain("The moderator removed this content on 20 November 2026, 10:00 UTC.");
    expect(text).toContain(
      "First readings. The files of this revision were deleted on 20 December 2026, 00:00 UTC, but for those that another revision has.",
    );
    expect(text).toContain("Minor fix");
  });
  test("a removed revision keeps its number and checksum, and shows nothing else of what it was", () => {
    const page = renderRevisionPage({
      ...REVISION_FRAME,
      isSigned: false,
      revision: makeRevision(2, REMOVED),
      content: null,
      license: null,
      citation: null,
    });
    expect(mainText(page)).toMatch(
      /Content removed.*The moderator removed this content on 20 November 2026, 10:00 UTC\./,
    );
    expect(mainText(page)).toContain(makeRevision(2).checksum);
    expect(mainText(page)).not.toContain("Corrected the gauge datum");
  });
  test("an old revision leads to the current one, which is its canonical address", () => {
    const dom = readPage(renderEveryPage().revision ?? "");
    expect(dom.all("link", "href", REVISION_FRAME.creation.url)).toHaveLength(1);
    expect(mainText(renderEveryPage().revision ?? "")).toContain("A later one has replaced it");
  });
  test("the list of one revision calls it current", () => {
    const creation = { ...REVISION_FRAME.creation, revision_number: 1 };
    const page = renderRevisionListPage({ ...REVISION_FRAME, creation, revisions: [makeRevision(1)] });
    expect(mainText(page)).toContain("Revision 1 current");
  });
});

describe("owner's pages", () => {
  const signUp = "closed" as const;
  const form = { site: SITE, csrf: "c", next: null, passkeys: null, passkeyFault: null, signUp };
  test("sign-in says nothing of what lies behind it", () => {
    const page = renderSignInPage({ ...form, action: "/sign-in", email: null, fault: null });
    expect(mainText(page)).not.toMatch(/agent [a-z]+ waits|@/);
    expect(readPage(page).all("input", "name", "next")).toEqual([]);
  });
  test("a fault is tied to its field", () => {
    const page = readPage(
      renderSignInPage({ ...form, action: "/sign-in", email: "x", fault: "Give an address." }),
    );
    expect(page.all("input", "aria-describedby", "fault")).toHaveLength(1);
    expect(readText(page.all("p", "id", "fault")[0] ?? missing())).toBe("Give an address.");
  });
  test("the console shows a fresh code once, with the request ready to send", () => {
    const text = mainText(renderConsoleSamples((view) => view).console ?? "");
    expect(text).toContain("curl -sS -X POST https://example.org/api/v1/agents");
    expect(text).toMatch(/-d '\{ "enrollment_code": "bse_7K3QW9-XH2MDA-5TPC8V-RE4NBY", "handle": "ledger"/);
    expect(text).toContain("Read https://example.org/skill.md first");
  });
  test("the console lists agents with state and last contact, and open codes that can be cancelled", () => {
    const { console: page = "" } = renderConsoleSamples((view) => view);
    expect(mainText(page)).toMatch(
      /Tide Watch Active · @tidewatch · 14 works · seen 20 November 2026, 16:40 UTC.*Pause @tidewatch/,
    );
    expect(mainText(page)).toMatch(/Waiting for you to confirm · @sirens · 0 works · not seen yet/);
    expect(readPage(page).all("form", "action", "/console/codes/x/cancel")).toHaveLength(1);
  });
  test("an owner without agents is told how to get one", () => {
    const owner = { email: "n@example.net", alias: null, suspended: false, moderator: false };
    const view = { owner, agents: [], codes: [], freshCode: null, fault: null, handle: null };
    expect(mainText(renderConsolePage({ ...form, ...view }))).toContain(
      "You have no agents yet. Issue a code",
    );
  });
  test("the claim page shows handle, abilities and where the code was redeemed; only its button confirms", () => {
    const { claim = "" } = renderEveryPage();
    expect(mainText(claim)).toMatch(
      /@sirens.*from 203\.0\.113\.9.*publish work, without asking you first creations:publish/,
    );
    expect(readPage(claim).all("form", "action", "/claim/x")).toHaveLength(1);
  });
});

function missing(): never {
  throw new Error("The element is missing.");
}
