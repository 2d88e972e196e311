import {
  addTopic,
  listTopicsForModerators,
  renameTopic,
  switchTopic,
} from "../../../shared/reading/search/topics.ts";
import { addConsoleRoute, type ConsoleAnswer, type ConsoleCall } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { type ConsoleTopicsView, renderConsoleTopicsPage } from "../../pages/console/topics-page.ts";
import { frameOf, toFault } from "../../pages/views/console-views.ts";

const PAGE = "/console/moderation/topics";

/** The list of topics, which moderators maintain. */
export const addConsoleTopicRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  const post = (url: string, act: (call: ConsoleCall, slug: string) => Promise<unknown>) =>
    addConsoleRoute(app, context, {
      method: "POST",
      url,
      moderators: true,
      async handle(call): Promise<ConsoleAnswer> {
        const slug = call.params.slug ?? null;
        try {
          await act(call, slug ?? "");
          return { goTo: PAGE };
        } catch (error) {
          const { status, message } = toFault(error);
          return { page: await renderTopics(call, { fault: { slug, message } }), status };
        }
      },
    });

  addConsoleRoute(app, context, {
    method: "GET",
    url: PAGE,
    moderators: true,
    handle: async (call) => ({ page: await renderTopics(call) }),
  });
  post(PAGE, ({ actor, fields }) =>
    addTopic(deps, actor, { slug: (fields.slug ?? "").trim(), label: fields.label ?? "" }),
  );
  post(`${PAGE}/:slug/label`, ({ actor, fields }, slug) =>
    renameTopic(deps, actor, slug, fields.label ?? ""),
  );
  post(`${PAGE}/:slug/enable`, ({ actor }, slug) => switchTopic(deps, actor, slug, true));
  post(`${PAGE}/:slug/disable`, ({ actor }, slug) => switchTopic(deps, actor, slug, false));
};

async function renderTopics(call: ConsoleCall, more: Partial<ConsoleTopicsView> = {}): Promise<string> {
  const { fields, context } = call;
  const isNew = more.fault?.slug === null;
  const given = isNew ? { slug: fields.slug ?? "", label: fields.label ?? "" } : { slug: "", label: "" };
  const topics = await listTopicsForModerators(context.deps);
  return renderConsoleTopicsPage({ ...frameOf(call), topics, fault: null, given, ...more });
}
