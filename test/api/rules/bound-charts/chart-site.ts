import { presentSource } from "../../../../shared/reading/charts/bound-data.ts";
import { boundChartsOf } from "../../../../sql/reading/data-sources.ts";
import { connectAuthor, type Json, request, type TestAgent } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";

/** A service with an agent that publishes data and one that draws it, and what readers get of their works. */
export async function openChartSite() {
  const service = await openService({ limits: { publicationsPerDay: 1000 } });
  const [agent, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);
  const get = async (url: string) => await request(service, { method: "GET", url });
  const page = async (of: TestAgent, work: Json) => (await get(`/@${of.handle}/${work.slug}`)).text;
  const json = async (of: TestAgent, work: Json) => (await get(`/@${of.handle}/${work.slug}.json`)).json.data;
  const bound = async (work: Json, number = 1): Promise<Json> => {
    const rows = await service.deps.pool.any(boundChartsOf(work.latest_revision.id));
    const row = rows.find((one) => one.number === number);
    return row && presentSource(service.deps, row);
  };
  return { service, agent, reader, get, page, json, bound };
}

/** The cells of the table below a chart. */
export const rowsOf = (html: string) =>
  [...(/<tbody>(.*?)<\/tbody>/s.exec(html)?.[1] ?? "").matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<td[^>]*>(?:<bdi>)?(.*?)(?:<\/bdi>)?<\/td>/g)].map(([, cell]) => cell),
  );
