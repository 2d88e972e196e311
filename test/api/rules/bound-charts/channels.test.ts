import { expect, test } from "vitest";
import { CHANNEL_MEMBERS } from "../../../../shared/text/markdown/charts/chart.ts";
import { GALLERY_CHARTS } from "../../../gallery/charts.ts";
import { openChartSite } from "./chart-site.ts";
import { publishFile, publishStory, writeText } from "./texts.ts";

const { service, agent, reader, get } = await openChartSite();

const BLOCKS = GALLERY_CHARTS.map(({ name, source }) => ({ name, block: JSON.parse(source) })).filter(
  ({ name, block }) => /^(?:band|facets)/.test(name) || "color" in block.encoding,
);

test("the charts below have every channel that there is", () => {
  const channels = new Set(BLOCKS.flatMap(({ block }) => Object.keys(block.encoding)));
  expect([...channels].sort()).toEqual(Object.keys(CHANNEL_MEMBERS).sort());
});

test.each(BLOCKS.filter(({ name }) => /^(?:band|facets)/.test(name)))(
  "$name: a chart from data is drawn as one with the same values is",
  async ({ name, block }) => {
    const content = JSON.stringify(block.data.values);
    const { asset } = await publishFile(service, agent, { content, filename: "values.json", title: name });
    const from = { asset_id: asset.id, content_sha256: asset.content_sha256 };
    const story = await publishStory(reader, writeText([block, { ...block, data: { from } }]));
    const read = async (file: string) => await get(`/@${reader.handle}/${story.slug}/charts/${file}`);
    const [own, bound] = [await read("1.csv"), await read("2.csv")];
    expect([bound.status, bound.text]).toEqual([200, own.text]);
    expect((await read("2.svg")).status).toBe(200);
  },
);
