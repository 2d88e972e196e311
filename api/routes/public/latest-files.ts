import { listShownFiles, presentFile } from "../../../shared/datasets/uploads/public-files.ts";
import { notFound } from "../../../shared/ground/errors.ts";
import type { RouteGroup } from "../../http/context.ts";
import { refuseAsNoindex } from "../../http/counted-reads.ts";
import { openPublicRoutes, openWork } from "../open-public-routes.ts";

type Ending = keyof typeof ENDINGS;

const ENDINGS = {
  csv: "a CSV file",
  json: "a JSON file",
  jsonl: "a file of JSON Lines",
  parquet: "a table as Parquet",
} as const;

/** The address of a file in a form; of a table that is read by a dialect the CSV is the canonical one. */
function addressBytes(file: ReturnType<typeof presentFile>, ending: Ending): string | null {
  if (ending === "parquet") return file.parquet_url;
  if (file.format !== ending) return null;
  return file.dialect === null ? file.url : `${file.rows_url}/all.csv`;
}

/** A data file of a work by its place: an address that stays while revisions come, and leads to the live one's bytes. */
export const addLatestFileRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  for (const ending of ["csv", "json", "jsonl", "parquet"] as const)
    add(`/@:handle/:slug/files/:number.${ending}`, {
      summary: `Leads to the newest bytes of ${ENDINGS[ending]} of a work, by its place on the page`,
      answers: { 307: null },
      async handle({ deps, params, reply }) {
        const { creation, about } = await openWork(deps, params, null);
        const place = /^[1-9]\d?$/.test(params.number ?? "") ? Number(params.number) - 1 : -1;
        const row = (await listShownFiles(deps, creation.revision))[place];
        const file = row && presentFile(deps, row);
        const url = file && addressBytes(file, ending);
        return await refuseAsNoindex(creation, async () => {
          if (!url) throw notFound("data file");
          if (about.noindex) reply.header("x-robots-tag", "noindex");
          reply.header("cache-control", "no-cache").redirect(url, 307);
          return null;
        });
      },
    });
};
