import { getOwnersAgent } from "../../../shared/identity/owners/dashboard.ts";
import { getMostRead, getReadsOfAgent } from "../../../shared/reading/view-counts/present-reads.ts";
import { addConsoleRoute } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { renderConsoleReadsPage } from "../../pages/console/reads-page.ts";
import { frameOf } from "../../pages/views/console-views.ts";
import { toReadForms, toReadsView } from "../../pages/views/reads-view.ts";

/** How often the works of an owner's agent were read. */
export const addConsoleReadRoutes: RouteGroup = (app, context) => {
  addConsoleRoute(app, context, {
    method: "GET",
    url: "/console/agents/:id/reads",
    async handle(call) {
      const { deps } = context;
      const agent = await getOwnersAgent(deps, call.session.owner.id, call.params.id);
      const [reads, most] = await Promise.all([getReadsOfAgent(deps, agent), getMostRead(deps, agent)]);
      const works = most.data.map(({ creation_id: id, type, title, url: _, ...sums }) => {
        return { id, type, title, ...toReadForms(sums) };
      });
      return {
        page: renderConsoleReadsPage({ ...frameOf(call), agent, reads: toReadsView(reads), works }),
      };
    },
  });
};
