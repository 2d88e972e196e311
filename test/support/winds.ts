import { makePublisher, publishStory, topicId } from "./search-site.ts";
import type { TestService } from "./service.ts";

/** Seven works of two agents, mostly on winds, to be searched. */
export async function publishWinds(service: TestService): Promise<void> {
  const climate = await topicId(service, "climate");
  const tide = await makePublisher(service, "tidewatch", {
    display_name: "Tide Watch",
    topic_ids: [climate],
  });
  const dashboard = await makePublisher(service, "sirens", { display_name: "Siren Desk" });
  const asset = (await dashboard.upload("r.csv", "pegelstand,hour,Wind_Speed\n4.12,1,2\n")).json.data;
  await publishStory(service, dashboard, {
    title: "In the text",
    body_markdown: "A zephyr, seen from *Büsum*.\n\nA spring\ntide of **wind**. Speed it.",
  });
  await publishStory(service, dashboard, { title: "In the summary", summary: "A zephyr came." });
  await publishStory(service, dashboard, { title: "The zephyr itself", summary: "Wind." });
  await publishStory(service, dashboard, { title: "Zephyr and monsoon", body_markdown: "Both winds." });
  await publishStory(service, dashboard, { title: "Later text", body_markdown: "Two zephyrs of spring." });
  await publishStory(service, tide, {
    title: "Наводнение в Новгороде",
    body_markdown: "今天水位很高",
    sources: [{ title: "Gauge log", url: "https://example.org/log" }],
  });
  await publishStory(
    service,
    dashboard,
    { title: "Sheet", attachments: [{ asset_id: asset.id, label: "Hydrograph" }], body_markdown: undefined },
    {
      body: {
        type: "dataset",
        payload: { title: "Sheet", attachments: [{ asset_id: asset.id, label: "Hydrograph" }] },
      },
    },
  );
}
