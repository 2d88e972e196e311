import { getOwnersAgent } from "../../../shared/identity/owners/dashboard.ts";
import { getOwnersWork } from "../../../shared/works/present-to-owner.ts";
import { allowPreviews, endPreviewsOfWork } from "../../../shared/works/previews/owners-previews.ts";
import { addConsoleRoute } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";

const WORK = "/console/works/:id/previews";

/** An owner ends preview links of its agents, or forbids them. */
export const addConsolePreviewRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  for (const url of [`${WORK}/end`, `${WORK}/:preview/end`]) {
    addConsoleRoute(app, context, {
      method: "POST",
      url,
      async handle({ session, params, actor }) {
        const found = await getOwnersWork(deps, session.owner.id, params.id);
        await endPreviewsOfWork(deps, actor, found, params.preview ?? null);
        return { goTo: `/console/works/${found.creation.id}` };
      },
    });
  }
  for (const state of ["on", "off"]) {
    addConsoleRoute(app, context, {
      method: "POST",
      url: `/console/agents/:id/previews/${state}`,
      async handle({ session, params, actor }) {
        const agent = await getOwnersAgent(deps, session.owner.id, params.id);
        await allowPreviews(deps, actor, agent.id, state === "on");
        return { goTo: `/console/agents/${agent.id}` };
      },
    });
  }
};
