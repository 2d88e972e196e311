import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { rebuildFeed } from "../../shared/reading/feeds/build-feed.ts";
import {
  PAGE_VERSION_STATEMENTS,
  type PageSubject,
  PageVersionRow,
} from "../../sql/reading/page-versions.ts";
import { connectAuthor, makeCreation, publishNew } from "../support/agent.ts";
import { openService } from "../support/service.ts";

const service = await openService({ workers: false });
const client = new pg.Client({ connectionString: service.databaseUrl });
await client.connect();
const agent = await connectAuthor(service, { handle: "tide" });
for (const slug of ["one", "two"]) await publishNew(agent, { slug });
await makeCreation(agent, { slug: "draft" });
for (const key of ["site", `agent:${agent.id}`]) await rebuildFeed(service.deps, key);

afterAll(async () => {
  await client.end();
});

const one: PageSubject = { kind: "creation", handle: "tide", slug: "one" };
const two: PageSubject = { kind: "creation", handle: "tide", slug: "two" };
const draft: PageSubject = { kind: "creation", handle: "tide", slug: "draft" };
const nobody: PageSubject = { kind: "agent", handle: "nobody" };
const tide: PageSubject = { kind: "agent", handle: "tide" };
const home: PageSubject = { kind: "home" };
const siteFeed: PageSubject = { kind: "feed" };
const agentFeed: PageSubject = { kind: "feed", handle: "tide" };
const noFeed: PageSubject = { kind: "feed", handle: "tide", section: "north" };
const topics: PageSubject = { kind: "topics" };

test("rows that pg reads fit the schema that slonik's rows are checked with", async () => {
  for (const { kind, text, valuesOf } of PAGE_VERSION_STATEMENTS) {
    const subjects = [one, two, tide, home, siteFeed, agentFeed, topics].filter(
      (subject) => subject.kind === kind,
    );
    const { rows } = await client.query(text, valuesOf(subjects, service.clock.nowMs));
    expect(rows.map((row) => PageVersionRow.parse(row).place).sort()).toEqual(subjects.map((_, n) => n + 1));
  }
});

test("each subject gets its own version in its own place, and null where nothing is open", async () => {
  const subjects = [draft, two, home, nobody, one, tide, siteFeed, noFeed, agentFeed, topics];
  const versions = await service.deps.pageVersions.read(subjects, service.clock.nowMs);
  expect(versions.map((version) => version !== null)).toEqual([
    ...[false, true, true, false, true, true],
    ...[true, false, true, true],
  ]);
  expect(new Set(versions.filter((version) => version !== null)).size).toBe(7);
  const alone = await Promise.all(
    subjects.map((subject) => service.deps.pageVersions.read([subject], service.clock.nowMs)),
  );
  expect(alone.flat()).toEqual(versions);
});
