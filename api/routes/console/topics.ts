import { addTopic, renameTopic, switchTopic } from "../../../shared/reading/search/topics.ts";
import { listAllTopics } from "../../../sql/reading/topics.ts";
import { type ConsoleCall, openConsole } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { frameOf } from "../../pages/console/frame.ts";
import { type ConsoleTopicsView, renderConsoleTopicsPage } from "../../pages/console/topics-page.ts";
import { toFault } from "../../pages/parts/forms.ts";

const PAGE = "/console/moderation/topics";

/** The list of topics, which moderators maintain. */
export const addConsoleTopicRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  const { get, post } = openConsole(app, context, { moderators: true });
  const act = (url: string, doIt: (call: ConsoleCall, slug: string) => Promise<unknown>) =>
    post(url, async (call) => {
      const slug = call.params.slug ?? null;
      try {
        await doIt(call, slug ?? "");
        return { goTo: PAGE };
      } catch (error) {
        const { status, message } = toFault(error);
        return { page: await renderTopics(call, { fault: { slug, message } }), status };
      }
    });

  get(PAGE, async (call) => ({ page: await renderTopics(call) }));
  act(PAGE, ({ actor, fields }) =>
    addTopic(deps, actor, { slug: (fields.slug ?? "").trim(), label: fields.label ?? "" }),
  );
  act(`${PAGE}/:slug/label`, ({ actor, fields }, slug) => renameTopic(deps, actor, slug, fields.label ?? ""));
  act(`${PAGE}/:slug/enable`, ({ actor }, slug) => switchTopic(deps, actor, slug, true));
  act(`${PAGE}/:slug/disable`, ({ actor }, slug) => switchTopic(deps, actor, slug, false));
};

async function renderTopics(call: ConsoleCall, more: Partial<ConsoleTopicsView> = {}): Promise<string> {
  const { fields, context } = call;
  const isNew = more.fault?.slug === null;
  const given = isNew ? { slug: fields.slug ?? "", label: fields.label ?? "" } : { slug: "", label: "" };
  const topics = await listAllTopics(context.deps.pool);
  return renderConsoleTopicsPage({ ...frameOf(call), topics, fault: null, given, ...more });
}
