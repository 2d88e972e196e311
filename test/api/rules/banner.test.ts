import { beforeEach, describe, expect, test } from "vitest";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { makeSignInLink } from "../../../shared/identity/sign-in/sign-in-links.ts";
import { pollState } from "../../../shared/platform/process/poll-state.ts";
import { connectAuthor, type Json, makeCreation, publish, request } from "../../support/agent.ts";
import { captureLog } from "../../support/log-lines.ts";
import { openDashboard } from "../../support/owner-dashboard.ts";
import { runBeside } from "../../support/run-here.ts";
import { openService } from "../../support/service.ts";
import { until } from "../../support/service-process.ts";
import { runSql } from "../../support/tables.ts";

const TEXT = "We move on 1 December: saving & publishing wait for an hour.";
const SHOWN = `<aside class="notice" aria-label="Notice"><p dir="auto">${TEXT.replace("&", "&amp;")}</p></aside>`;

const service = await openService({ workers: false });
const owner = await openDashboard(service, "Nora");
const signInPath = new URL((await makeSignInLink(service.deps, COMMAND_LINE, owner.email)).url).pathname;
const agent = await connectAuthor(service, { handle: "tide", ownerId: owner.ownerId });
const made = await makeCreation(agent, { slug: "story" });
const workId = made.id;
await publish(agent, made);

beforeEach(async () => {
  await banner("--clear");
});

const cli = (...args: string[]) => runBeside(service, ["site", "banner", ...args]);

/** Runs the command, and has the process read the banner. */
async function banner(...args: string[]): Promise<Json> {
  const answer = (await cli(...args)).json() as Json;
  await service.deps.banner.refresh(service.deps);
  return answer;
}
const get = (url: string, headers: Record<string, string> = {}) =>
  request(service, { method: "GET", url, headers: { accept: "text/html", ...headers } });

const PUBLIC = [
  ...["/", "/@tide", "/@tide/story", "/@tide/story/revisions", "/@tide/story/revisions/1", "/docs"],
  ...["/docs/owners", "/search?query=surge", "/topics/climate", "/report/tide", "/sign-in", "/nowhere"],
];
const consolePages = () => [
  ...["/console", "/console/account", "/console/audit", `/console/works/${workId}`],
  `/console/works/${workId}/revisions/1`,
];
const OTHERS = [
  "/@tide/story.json",
  "/@tide/profile.json",
  "/@tide/feed.xml",
  "/docs/owners.md",
  "/skill.md",
];

async function showing(urls: readonly string[], read: (url: string) => ReturnType<typeof get>) {
  const shown: string[] = [];
  for (const url of urls) if ((await read(url)).text.includes(SHOWN)) shown.push(url);
  return shown;
}

describe("a banner", () => {
  test("for everyone is on every page, those of the console too, and in nothing that agents read", async () => {
    const before = await Promise.all(OTHERS.map((url) => get(url)));
    await banner("--text", TEXT);
    expect(await showing(PUBLIC, get)).toEqual(PUBLIC);
    expect(await showing([signInPath], get)).toEqual([signInPath]);
    expect(await showing(consolePages(), owner.get)).toEqual(consolePages());
    const after = await Promise.all(OTHERS.map((url) => get(url)));
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
  });

  test("for owners is in the console alone, and only for who is signed in", async () => {
    await banner("--text", TEXT, "--for", "owners");
    expect(await showing(consolePages(), owner.get)).toEqual(consolePages());
    expect(await showing([...PUBLIC, ...consolePages(), signInPath], get)).toEqual([]);
    expect(await showing(PUBLIC, owner.get)).toEqual([]);
  });

  test("gives a cached page another ETag, and takes it away again with the banner", async () => {
    const etagOf = async () => String((await get("/@tide/story")).headers.etag);
    const isKnown = async (etag: string) =>
      (await get("/@tide/story", { "if-none-match": etag })).status === 304;
    const bare = await etagOf();
    await banner("--text", TEXT);
    const with1 = await etagOf();
    await banner("--text", "Another one.");
    const with2 = await etagOf();
    expect(new Set([bare, with1, with2]).size).toBe(3);
    expect([await isKnown(bare), await isKnown(with1), await isKnown(with2)]).toEqual([false, false, true]);
    await banner("--clear");
    expect([await isKnown(bare), await isKnown(with2)]).toEqual([true, false]);
  });

  test("ends by itself, though the database is away", async () => {
    const endMs = service.clock.nowMs + 86_400_000 * 400;
    await banner("--text", TEXT, "--until", new Date(endMs).toISOString());
    const startMs = service.clock.nowMs;
    try {
      service.clock.nowMs = endMs - 1;
      expect(await showing(["/", "/@tide/story"], get)).toEqual(["/", "/@tide/story"]);
      service.clock.nowMs = endMs;
      expect(await showing(["/", "/@tide/story"], get)).toEqual([]);
    } finally {
      service.clock.nowMs = startMs;
    }
  });

  test("is known to a process within seconds, and the last one holds while the database is away", async () => {
    const { log, lines } = captureLog("info");
    const deps = { pool: service.deps.pool, now: service.deps.now, log };
    const network = ["--network", "198.51.100.0/24"];
    await runBeside(service, ["site", "block", ...network]);
    const following = await pollState(deps, [service.blockedNetworks, service.deps.banner], 20);
    // A process that starts knows the blocks before its first answer.
    expect(service.blockedNetworks.has("198.51.100.7")).toBe(true);
    const isShown = () => service.deps.banner.find("everyone", service.deps.now())?.text === TEXT;
    try {
      await cli("--text", TEXT);
      await until(async () => isShown(), 5_000);
      const away = () => Promise.reject(new Error("away"));
      deps.pool = { one: away, maybeOne: away } as never;
      await until(async () => lines().length === 2, 5_000);
      // The database may leave between the two.
      expect(
        lines()
          .map(({ followed }) => String(followed))
          .toSorted(),
      ).toEqual(["banner", "blocked networks"]);
      expect([isShown(), service.blockedNetworks.has("198.51.100.7")]).toEqual([true, true]);
      deps.pool = service.deps.pool;
      await cli("--clear");
      await runBeside(service, ["site", "unblock", ...network]);
      await until(async () => !isShown() && !service.blockedNetworks.has("198.51.100.7"), 5_000);
    } finally {
      following.close();
    }
  });
});

describe("the command", () => {
  test("sets, shows, replaces and clears the one banner", async () => {
    expect(await banner()).toEqual({ banner: null });
    const set = await banner(
      "--text",
      `  ${TEXT} `,
      "--until",
      "2099-01-01T01:00:00+01:00",
      "--for",
      "owners",
    );
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const first = { text: TEXT, for: "owners", until_at: "2099-01-01T00:00:00Z", set_at: time };
    expect([set, await banner()]).toEqual([{ banner: first }, { banner: first }]);
    const second = { text: "Another one.", for: "everyone", until_at: null, set_at: time };
    expect(await banner("--text", "Another one.")).toEqual({ banner: second });
    expect(await banner()).toEqual({ banner: second });
    expect([await banner("--clear"), await banner("--clear"), await banner()]).toEqual(
      [1, 2, 3].map(() => ({ banner: null })),
    );
  });

  test("shows none whose time is over", async () => {
    await banner("--text", TEXT, "--until", "2099-01-01T00:00:00Z");
    await runSql(service, "UPDATE site_banner SET until = '2001-01-01'");
    expect(await banner()).toEqual({ banner: null });
  });

  test("is recorded, its end too", async () => {
    const [{ id }] = await runSql(service, "SELECT coalesce(max(id), 0) AS id FROM audit_log");
    await banner("--text", TEXT, "--until", "2099-01-01T00:00:00Z");
    await banner("--clear");
    await banner("--clear");
    const acts = await runSql(service, "SELECT action, detail FROM audit_log WHERE id > $1 ORDER BY id", [
      id,
    ]);
    expect(acts).toEqual([
      { action: "banner.set", detail: { text: TEXT, for: "everyone", until: "2099-01-01T00:00:00Z" } },
      { action: "banner.clear", detail: {} },
    ]);
  });

  test.each([
    [["--text", " "], "The text must have 1 to 200 characters."],
    [["--text", "x".repeat(201)], "The text must have 1 to 200 characters."],
    [["--text", "Two\nlines"], "The text "],
    [["--text", "A <b>bold</b> word"], "The text is shown as it stands: write it without HTML."],
    [["--text", "A <!-- note -->"], "The text is shown as it stands"],
    [["--text", "Fine", "--for", "owner"], "There is no group of readers owner. Did you mean owners?"],
    [["--text", "Fine", "--until", "tomorrow"], "--until takes a time with its zone"],
    [["--text", "Fine", "--until", "2001-01-01T00:00:00Z"], "The end of a banner must be in the future"],
    [["--until", "2099-01-01T00:00:00Z"], "--until and --for need --text"],
    [["--clear", "--text", "Fine"], "--clear takes no other option."],
    [["--txet", "Fine"], "There is no option --txet here. Did you mean --text?"],
  ])("%j is refused, and the banner stays", async (words, start) => {
    await banner("--text", "The one before.");
    expect((await cli(...words)).refusal().message.slice(0, start.length)).toBe(start);
    expect(await banner()).toMatchObject({ banner: { text: "The one before." } });
  });

  test("takes a text with a bracket and an emoji, which the page escapes", async () => {
    await banner("--text", 'Under 5 < 6 & "quoted" 🎉');
    expect((await get("/")).text).toContain("Under 5 &lt; 6 &amp; &quot;quoted&quot; 🎉</p></aside>");
  });
});
