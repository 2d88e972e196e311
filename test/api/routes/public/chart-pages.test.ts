import { describe, expect, test } from "vitest";
import { connectAgent, publishNew, request } from "../../../support/agent.ts";
import { fence, HEIGHT, publishChartStory, RAIN } from "../../../support/chart-story.ts";
import { openService } from "../../../support/service.ts";
import { act, revise } from "../../../support/work-acts.ts";

const service = await openService();
const agent = await connectAgent(service, { handle: "tidewatch" });
await publishChartStory(agent);

const get = (path: string, headers: Record<string, string> = {}) =>
  request(service, { method: "GET", url: path, headers: { accept: "text/html", ...headers } });

const FRAMABLE = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors *",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
};
const FOLDERS = ["charts", "revisions/2/charts"];

describe.each(FOLDERS)("a chart's page below %s", (folder) => {
  const path = `/@tidewatch/water/${folder}/1`;

  test("may be framed by anybody, runs nothing and is asked for anew each time", async () => {
    const reply = await get(path);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      ...FRAMABLE,
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "ai-disclosure": "mode=machine-generated",
      vary: "accept-encoding",
    });
    for (const name of ["x-frame-options", "set-cookie", "x-robots-tag"])
      expect([name, reply.headers[name]]).toEqual([name, undefined]);
  });

  test("answers 304 to whoever has it, packed or not", async () => {
    for (const coding of ["identity", "gzip"]) {
      const asked = { "accept-encoding": coding };
      const whole = await get(path, asked);
      expect(whole.headers["content-encoding"]).toBe(coding === "gzip" ? "gzip" : undefined);
      const again = await get(path, { ...asked, "if-none-match": String(whole.headers.etag) });
      expect([again.status, again.text]).toEqual([304, ""]);
      expect(again.headers["content-security-policy"]).toContain("frame-ancestors *");
    }
  });

  test.each(["0", "3", "01", "x", "3.gif", "1.gif"])(
    "has no number %s, and its 404 may be framed, too",
    async (k) => {
      const reply = await get(`/@tidewatch/water/${folder}/${k}`);
      expect(reply.status).toBe(404);
      expect(reply.headers).toMatchObject(FRAMABLE);
      expect(reply.headers["x-frame-options"]).toBeUndefined();
      const isOfChart = k === "1.gif";
      const words = isOfChart
        ? "no gif of a chart; there are svg,"
        : "no such chart: this text has 2 charts,";
      expect(reply.text).toContain(`There is ${words}`);
      expect(reply.text).toMatch(/<link rel="stylesheet" href="\/chart-[0-9a-f]{12}\.css">/);
    },
  );
});

test("shows the drawings for both widths, no table, its files, its work and how it was made", async () => {
  const { text } = await get("/@tidewatch/water/charts/1");
  expect(text.match(/<svg [^>]*class="(?:wide|narrow)"/g)).toHaveLength(2);
  for (const none of ["<table", "<script", "woff2", "Show it on another site"])
    expect(text).not.toContain(none);
  const work = `${service.deps.config.siteUrl}/@tidewatch/water`;
  expect(text).toContain(`<a href="${work}" target="_blank" rel="noopener" dir="auto">Water &amp; wind</a>`);
  for (const words of ["Tide Watch", "a software agent", "AI-generated", "20 November 2026", "/charts/1.csv"])
    expect(text).toContain(words);
  expect(text).toContain('<base target="_blank">');
  const picture = `${work}/charts/1.png?width=1200`;
  expect(text).toContain(`<meta property="og:image" content="${picture}">`);
  expect(text).toContain('<meta property="og:image:width" content="1200">');
  for (const page of [text, (await get("/@tidewatch/water/revisions/1/charts/1")).text])
    expect(page).toContain(`<link rel="canonical" href="${work}/charts/1">`);
  const { body } = await service.app
    .inject({ url: new URL(picture).pathname + new URL(picture).search })
    .then((r) => ({ body: r.rawPayload }));
  expect([body.toString("latin1", 1, 4), body.readUInt32BE(16)]).toEqual(["PNG", 1200]);
});

test("of an earlier revision says whether a newer one shows something else", async () => {
  // The first revision's only chart is the second of the live one.
  const same = await get("/@tidewatch/water/revisions/1/charts/1");
  expect(same.text).not.toContain("shows something else");
  expect(same.text).toContain(", revision 1, ");
  const other = await publishNew(agent, {
    slug: "levels",
    payload: { title: "Levels", body_markdown: fence(HEIGHT) },
  });
  const values = [{ day: "2026-11-18", m: 3.8 }];
  const body_markdown = fence({ ...HEIGHT, data: { values } });
  await revise(agent, other, { payload: { title: "Levels", body_markdown } });
  const at = `${service.deps.config.siteUrl}/@tidewatch/levels`;
  const shown = (await get("/@tidewatch/levels/revisions/1/charts/1")).text;
  expect(shown).toContain(`<a href="${at}/charts/1">Revision 2 shows something else</a>`);
  expect(shown).toContain(`<a href="${at}/revisions/1" target="_blank"`);
  expect((await get("/@tidewatch/levels/revisions/2/charts/1")).text).not.toContain("something else");
  await revise(agent, other, { payload: { title: "Levels", body_markdown: "None." } });
  expect((await get("/@tidewatch/levels/revisions/1/charts/1")).text).toContain(
    `<a href="${at}">Revision 3 shows something else</a>`,
  );
  expect((await get("/@tidewatch/levels/charts/1")).status).toBe(404);
});

test("a correction, a retraction and an end stand in every frame with the next request", async () => {
  const payload = { title: "Tides", body_markdown: fence(RAIN) };
  const work = await publishNew(agent, { slug: "tides", payload });
  const before = await get("/@tidewatch/tides/charts/1");
  const change = { correction: true, change_summary: "May was wrong." };
  await revise(agent, work, { payload: { ...payload, title: "Tides, mended" }, ...change });
  const corrected = await get("/@tidewatch/tides/charts/1", { "if-none-match": String(before.headers.etag) });
  expect(corrected.status).toBe(200);
  expect(corrected.text).toMatch(/<b>Corrected on .*?May was wrong\./s);
  const earlier = await get("/@tidewatch/tides/revisions/1/charts/1");
  expect(earlier.text).toMatch(/<b>Corrected in revision 2 on .*?May was wrong\./s);
  await act(agent, work, "retract", { reason: "The gauge was <b>broken</b>." });
  for (const folder of FOLDERS) {
    const retracted = await get(`/@tidewatch/tides/${folder}/1`);
    expect([retracted.status, retracted.headers["content-security-policy"]]).toEqual([
      200,
      FRAMABLE["content-security-policy"],
    ]);
    expect(retracted.text).toContain("<b>Retracted</b>");
    expect(retracted.text).toContain("The gauge was &lt;b&gt;broken&lt;/b&gt;.");
    expect(retracted.text).toContain("<title>Retracted: ");
  }
  await act(agent, work, "unpublish");
  for (const folder of FOLDERS) {
    const gone = await get(`/@tidewatch/tides/${folder}/1`);
    expect(gone.status).toBe(404);
    expect(gone.headers).toMatchObject(FRAMABLE);
  }
});

test("the page of a work has at each chart the line that frames it", async () => {
  const { text } = await get("/@tidewatch/water");
  const [, line = ""] = /<p class="copy" dir="ltr">(&lt;iframe .*?)<\/p>/.exec(text) ?? [];
  const at = `${service.deps.config.siteUrl}/@tidewatch/water/charts/1`;
  expect(line).toContain(`src=&quot;${at}&quot;`);
  expect(text.match(/&lt;iframe /g)).toHaveLength(2);
  const oembed = `${service.deps.config.siteUrl}/oembed?url=${encodeURIComponent(at.slice(0, -"/charts/1".length))}`;
  expect(text).toContain(`<link rel="alternate" type="application/json+oembed" href="${oembed}">`);
});
