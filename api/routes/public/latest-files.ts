import { listShownFiles, presentFile } from "../../../shared/datasets/uploads/public-files.ts";
import { notFound } from "../../../shared/ground/errors.ts";
import type { RouteGroup } from "../../http/context.ts";
import { refuseAsNoindex } from "../../http/counted-reads.ts";
import { allowOtherOrigins, allowPreflight } from "../../http/public-route.ts";
import { openWork } from "../open-public-routes.ts";

/** A data file of a work by its place: an address that stays while revisions come, and leads to the live one's bytes. */
export const addLatestFileRoutes: RouteGroup = (app, { deps }) => {
  for (const ending of ["csv", "json", "parquet"] as const) {
    const url = `/@:handle/:slug/files/:number.${ending}`;
    allowPreflight(app, url);
    app.get(url, async (request, reply) => {
      allowOtherOrigins(reply);
      const params = request.params as Record<string, string>;
      const { creation, about } = await openWork(deps, params, null);
      const place = /^[1-9]\d?$/.test(params.number ?? "") ? Number(params.number) - 1 : -1;
      const row = (await listShownFiles(deps, creation.revision.id))[place];
      const file = row && presentFile(deps, row);
      const found = ending === "parquet" ? file?.parquet_url : file?.format === ending && file.url;
      return await refuseAsNoindex(creation, async () => {
        if (!found) throw notFound("data file");
        if (about.noindex) reply.header("x-robots-tag", "noindex");
        return reply.header("cache-control", "no-cache").redirect(found, 307);
      });
    });
  }
};
