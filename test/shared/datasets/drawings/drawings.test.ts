import { expect, onTestFinished, test } from "vitest";
import { drawRevision, getFigures } from "../../../../shared/datasets/drawings/drawings.ts";
import { renderBody } from "../../../../shared/datasets/drawings/render-body.ts";
import { openThreads, type Threads } from "../../../../shared/platform/threads/open.ts";
import { findDrawingBlocks } from "../../../../shared/text/markdown/drawing-blocks.ts";
import { parseMarkdown } from "../../../../shared/text/markdown/parse.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  publishNew,
  request,
} from "../../../support/agent.ts";
import { writeDenseText } from "../../../support/dense-flowchart.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";

const PAGE = "https://example.org/@tidewatch/gauges";
// No worker: the tests say who draws what, and when.

const service = await openService({ workers: false });

function openDrawing(drawTimeoutMs?: number): Threads {
  const threads = openThreads({
    filesUrl: service.deps.config.filesUrl,
    maxThreads: 1,
    inspectTimeoutMs: 20_000,
    rowsTimeoutMs: 20_000,
    memoryMb: 256,
    ...(drawTimeoutMs === undefined ? {} : { drawTimeoutMs }),
  });
  onTestFinished(() => threads.close());
  return threads;
}

const listRows = (): Promise<Json[]> => runSql(service, "SELECT * FROM drawings ORDER BY hash");
const PENDING = "SELECT * FROM pending_work WHERE kind = 'draw-blocks' AND subject = $1";
const blocksOf = (text: string) => findDrawingBlocks(parseMarkdown(text));
const count = (text: string, part: string) => text.split(part).length - 1;

const CHART = JSON.stringify({
  mark: "bar",
  title: "Water",
  description: "Two months of <rain>.",
  data: { values: [{ month: "May", mm: 51.9 }] },
  encoding: { x: { field: "month", type: "nominal" }, y: { field: "mm", type: "quantitative" } },
});
const TEXT = `\`\`\`mermaid\nflowchart LR\n  A[Gauge] --> B{"Above <4> m?"}\n\`\`\`\n\n\`\`\`chart\n${CHART}\n\`\`\`\n`;

const author = await connectAgent(service);
const revisionId: string = (await makeCreation(author)).latest_revision.id;

test("a block that cannot be drawn in its time stays as text, and no reader has it drawn again", async () => {
  const hasty = openDrawing(1);
  const drawn = await getFigures(service.deps, hasty, blocksOf(TEXT), 60_000, { revisionId });
  expect(drawn.map(({ isLasting }) => isLasting)).toEqual([true, true]);
  await hasty.close();
  let missing = 0;
  const context = { deps: service.deps, threads: hasty, onMissingPart: () => missing++ };
  const html = await renderBody(context, TEXT, { revisionId, page: PAGE });
  expect(missing).toBe(0);
  expect(html).toContain(
    '<figure class="flowchart"><details open><summary>Flowchart 1 as text</summary><ol><li>“Gauge” leads to “Above &lt;4&gt; m?”.</li>',
  );
  expect(html).toContain('<td class="fg">51.9</td>');
  expect(html).toContain("<figcaption>Chart 1. Two months of &lt;rain&gt;.</figcaption>");
  expect(html).not.toContain("<svg");
});

test("where the files of a chart can be had, its table has every row, the first 50 of them open", async () => {
  const values = Array.from({ length: 60 }, (_, at) => ({ month: `M${at + 1}`, mm: at }));
  const text = `\`\`\`chart\n${JSON.stringify({ ...JSON.parse(CHART), data: { values } })}\n\`\`\`\n`;
  const context = { deps: service.deps, threads: openDrawing() };
  const html = await renderBody(context, text, {
    page: PAGE,
    revisionId,
    chartsAt: "http://localhost:3000/@tide/story/charts",
  });
  expect(count(html, "<tr><td>")).toBe(60);
  const [open = "", folded = ""] = html.split("<details><summary>Rows 51 to 60</summary>");
  expect([open.includes("<td>M50</td>"), folded.includes("<td>M51</td>")]).toEqual([true, true]);
  expect(folded).toMatch(/<\/details>\s*<\/details>\s*<p><a [^>]*>SVG</);
  expect(count(await renderBody(context, text, { revisionId, page: PAGE }), "<tr><td>")).toBe(60);
});

test("a page with such a block is complete and cached: its next view reads no drawing", async () => {
  const agent = await connectAuthor(service, { handle: "gauge" });
  const body_markdown = TEXT.replace("Gauge", "Tide gauge");
  await getFigures(service.deps, openDrawing(1), blocksOf(body_markdown), 60_000, { revisionId });
  const story = await publishNew(agent, { payload: { title: "As text", body_markdown } });
  const view = async () => {
    service.statements.length = 0;
    const page = await request(service, { method: "GET", url: `/@gauge/${story.slug}` });
    expect(page.text).toContain("“Tide gauge” leads to");
    return service.statements.filter((statement) => statement.includes("FROM drawings")).length;
  };
  expect([await view(), await view()]).toEqual([1, 0]);
});

test("a reader waits for drawings only so long, and the next one sees what was drawn meanwhile", async () => {
  const threads = openDrawing();
  const blocks = blocksOf(writeDenseText(2, 25));
  const before = (await listRows()).length;
  const early = await getFigures(service.deps, threads, blocks, 1, { revisionId });
  expect(early.map(({ isLasting }) => isLasting)).toEqual([false, false]);
  expect(early[1]?.html).toContain("Flowchart 2 as text");
  await until(async () => (await listRows()).length === before + 1, 20_000);
  const later = await getFigures(service.deps, threads, blocks, 20_000, { revisionId });
  expect(later.map(({ html, isLasting }) => [isLasting, count(html, "<svg")])).toEqual([
    [true, 1],
    [true, 1],
  ]);
});

test("a worker that ends in the midst leaves what it drew, and the next one draws the rest", async () => {
  const agent = await connectAgent(service);
  const story = await makeCreation(agent, {
    payload: { title: "Dense", body_markdown: writeDenseText(4, 26) },
  });
  const before = await listRows();
  const [ended, next] = [openDrawing(), openDrawing()];
  const revisionId: string = story.latest_revision.id;
  const run = (threads: Threads) => drawRevision(service.deps, threads, "creation", revisionId);
  const first = expect(run(ended)).rejects.toThrow();
  await until(async () => (await listRows()).length > before.length, 20_000);
  await ended.close();
  await first;
  const begun = await listRows();
  expect(begun.length).toBeLessThan(before.length + 4);
  service.clock.nowMs += 60_000;
  await run(next);
  const all = await listRows();
  expect(all.length).toBe(before.length + 4);
  expect(all).toEqual(expect.arrayContaining(begun));
  expect(await runSql(service, PENDING, [revisionId])).toEqual([]);
});
