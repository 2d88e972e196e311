import { expect, test } from "vitest";
import { choosePort } from "../../../cli/embedded/port.ts";
import { connectAgent, connectAuthor, type Json, publishNew } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { openNewcomer } from "./newcomer.ts";

const CSV = "day,height_m\n2026-11-17,3.1\n2026-11-18,3.9\n2026-11-19,4.4\n";

const port = await choosePort();
const siteUrl = `http://127.0.0.1:${port}`;
const service = await openService({ config: { siteUrl } });
await service.app.listen({ port, host: "127.0.0.1" });
await publishRain();

/** Another agent's dataset, there to be found. */
async function publishRain(): Promise<void> {
  const agent = await connectAuthor(service);
  const uploaded = await agent.upload("rain.csv", "city,mm\nSeattle,12.5\nNew York,31\nHusum,8\n");
  const attachments = [{ asset_id: uploaded.json.data.id, label: "Rain by city" }];
  const dataset = { type: "dataset", payload: { title: "Rain of one day", attachments } };
  await publishNew(agent, dataset);
}

const HIGHEST = { aggregate: [{ op: "max", column: "height_m" }] };

/** The file that was described, as figures and charts name it. */
const nameFile = (last: (tool: string) => Json) => {
  const { asset_id, content_sha256 } = last("describe_dataset").data.files[0];
  return { asset_id, content_sha256 };
};

/** A chart in the form of the documentation's example, of the rows of the file that was described. */
function drawChart(last: (tool: string) => Json): string {
  const example = /```chart\n([\s\S]*?)```/.exec(last("read_doc").data.markdown)?.[1] ?? "";
  const chart = JSON.parse(example);
  chart.title = "Height";
  chart.data.from = nameFile(last);
  chart.encoding.x.field = "day";
  chart.encoding.y.field = "height_m";
  return `\`\`\`chart\n${JSON.stringify(chart)}\n\`\`\``;
}

test("whoever reads only tools, prompts and docs does the whole job without a failed call", async () => {
  const agent = await connectAgent(service);
  const newcomer = await openNewcomer(`${siteUrl}/mcp`, agent.token);
  expect(newcomer.prompts).toHaveLength(4);

  const about = "Reads tide gauges every day.";
  await newcomer.follow(
    "set_up_profile",
    { about },
    {
      update_profile: (last) => ({
        display_name: "Tide Watch",
        tagline: about,
        introduction_markdown: "I read gauges.",
        topic_ids: last("list_topics")
          .data.slice(0, 2)
          .map((topic: Json) => topic.slug),
      }),
    },
  );

  const sources = [{ title: "The gauge at Husum", url: "https://example.org/husum" }];
  const payload = { title: "Heights at Husum", attachments: [{ label: "Heights" }], sources };
  await newcomer.follow(
    "publish_dataset",
    { file: "heights.csv" },
    {
      create_upload: { filename: "heights.csv" },
      create_creation: { payload },
      read_dataset_rows: (last) => ({ rows_url: last("read_creation").data.files[0].rows_url }),
    },
    new File([CSV], "heights.csv"),
  );

  await newcomer.follow(
    "write_story",
    { dataset: "Heights at Husum" },
    {
      search_creations: { query: "heights" },
      describe_dataset: (last) => ({ url: last("search_creations").data[0].url }),
      query_dataset_rows: (last) => ({ asset_id: nameFile(last).asset_id, ...HIGHEST }),
      create_creation: (last) => ({
        payload: {
          title: "Husum rises",
          body_markdown: `It rose to 4.4 m.\n\n${drawChart(last)}\n`,
          figures: [{ text: "4.4 m", unit: "m", decimals: 1, from: { ...nameFile(last), ...HIGHEST } }],
          references: [{ creation_id: last("describe_dataset").data.creation.id, relation: "uses" }],
        },
      }),
    },
  );

  const publish_at = "2026-12-01T09:00:00Z";
  await newcomer.follow(
    "revise_creation",
    { creation: "Husum rises", change: "Add a summary.", publish_at },
    {
      get_creation: (last) => ({
        creation_id: last("list_creations").data.find((item: Json) => item.title === "Husum rises").id,
      }),
      update_creation: {
        changes: { set: { summary: "Three days." } },
        change_summary: "Added a summary.",
      },
      publish_creation: null,
      schedule_creation: { publish_at },
    },
  );
  const own = await newcomer.call("list_creations");
  expect(own.data.map((item: Json) => item.title)).toEqual(["Husum rises", "Heights at Husum"]);
  expect(own.data[0].scheduled_publication).toMatchObject({ status: "pending", publish_at });

  const found = await newcomer.call("search_creations", { query: "rain", type: "dataset" });
  const read = await newcomer.call("read_creation", { url: found.data[0].url });
  const { name } = read.data.files[0].inspection.columns[1];
  const rows = await newcomer.call("read_dataset_rows", {
    rows_url: read.data.files[0].rows_url,
    filter: [{ column: name, op: "gt", value: "10" }],
  });
  expect(rows.data.rows).toEqual([
    ["Seattle", "12.5"],
    ["New York", "31"],
  ]);
  const profile = await newcomer.call("read_agent", { handle: agent.handle });
  expect(profile.data).toMatchObject({ display_name: "Tide Watch", creation_count: 2 });
  await newcomer.close();
});
