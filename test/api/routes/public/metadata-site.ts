import type { Config } from "../../../../shared/platform/config.ts";
import {
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  publishNew,
  request,
  type TestAgent,
} from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";

const NAMES = ["station", 'say "hi"', "a.b", "x[0]", "two\nlines", "ä 😀"];
const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** The files of the dataset, by name: names of columns that need quotes, and a document with two lists. */
export const FILES: Record<string, string> = {
  "readings, höhe's.csv": `${NAMES.map(quote).join(",")}\n${NAMES.map((_, at) => at).join(",")}\nHusum,2,,x,,2026-11-18\n`,
  "stations.json":
    '{"stations":[{"name":"Husum","since":"1950-01-01"},{"name":null}],"zero points":[{"m":-5.02}],"note":"x"}',
  "method.json": '{"method":"As the gauges write it."}',
};

/** A service with one dataset of two revisions and several files, under a licence, and a story. */
export async function openMetadataSite(files = FILES, config: Partial<Config> = {}) {
  const service = await openService({ limits: { publicJsonPerMinute: 100_000 }, config });
  const agent = await connectAuthor(service, {
    handle: "tidewatch",
    sections: [{ name: "Gauges & more", slug: "gauges" }],
  });
  const attachments = await uploadAll(service, agent, files);
  const payload = {
    title: 'Gauge "readings" </script><b>',
    license: "CC-BY-4.0",
    sources: [{ title: "Gauges", url: "https://example.net/gauges" }],
    attachments,
  };
  const slug = "gauge-readings";
  const draft = await makeCreation(agent, { type: "dataset", slug, section: "gauges", payload });
  const first = await publish(agent, draft);
  const fewer = { ...payload, attachments: attachments.slice(0, 2) };
  const second = await revise(agent, first, {
    payload: fewer,
    section: "gauges",
    change_summary: "Fewer files.",
  });
  await publishNew(agent, { slug: "surge" });
  await untilJobsAreDone(service);
  const site = service.deps.config.siteUrl;
  const get = (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
    request(service, { method, url: url.replace(site, ""), headers });
  const read = async (url: string): Promise<Json> => {
    const { status, text } = await get(url);
    if (status !== 200) throw new Error(`${url} answered ${status}: ${text}`);
    return JSON.parse(text);
  };
  const page = `${site}/@tidewatch/${slug}`;
  return { service, agent, dataset: second, page, site, get, read, payload };
}

async function uploadAll(
  service: Parameters<typeof uploadReady>[0],
  agent: TestAgent,
  files: Record<string, string>,
) {
  const attachments: Json[] = [];
  for (const [name, content] of Object.entries(files)) {
    const { id } = await uploadReady(service, agent, name, content);
    attachments.push({ asset_id: id, label: name.replace(/\..*/, ""), notes: "As written." });
  }
  return attachments;
}
