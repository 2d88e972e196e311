import { clearBanner, setBanner } from "../../../../shared/care/administration/banner.ts";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { sweepAgedFiles } from "../../../../shared/datasets/uploads/discard-files.ts";
import { Refusal } from "../../../../shared/ground/errors.ts";
import { DAY_MS, HOUR_MS } from "../../../../shared/ground/times.ts";
import { type AgentCommand, runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { showOwnerAlias } from "../../../../shared/identity/owners/alias.ts";
import { runOwnerCommand } from "../../../../shared/identity/owners/suspension.ts";
import type { Deps } from "../../../../shared/platform/deps.ts";
import { switchTopic } from "../../../../shared/reading/search/topics.ts";
import { confirmReview } from "../../../../shared/works/creations/confirm.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { removeContent, runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import type { TestAgent } from "../../../support/agent.ts";
import { untilJobsAreDone } from "../../../support/service.ts";
import { look } from "../../../support/work-acts.ts";
import { describeData, type Scene, withChart } from "./scene.ts";

/** Something that happens to the site; where the service refuses it now, nothing happens. */
export type Act = (scene: Scene) => Promise<unknown>;

let count = 0;
const FURTHER = "Further";

async function save(agent: TestAgent, id: string, body: object) {
  const creation = await look(agent, { id });
  if (creation === undefined) return null;
  const draft = { change_summary: `Change ${++count}.`, ...body };
  const saved = await agent.send("PATCH", `/creations/${id}`, draft, { ifMatch: creation.lock_version });
  return saved.json?.data ?? null;
}

async function order(agent: TestAgent, id: string, action: string, body?: object) {
  const creation = await look(agent, { id });
  if (creation === undefined) return;
  await agent.send("POST", `/creations/${id}/${action}`, body, { ifMatch: creation.lock_version });
}

async function revise(agent: TestAgent, id: string, body: object): Promise<void> {
  const saved = await save(agent, id, body);
  if (saved) await order(agent, id, "publish", { revision_id: saved.latest_revision.id });
}

const titled = (title: string, more: object = {}) => ({
  payload: { title: `${title} ${++count}`, body_markdown: withChart(`Text ${count}.`), ...more },
});

async function patchProfile(agent: TestAgent, patch: object): Promise<void> {
  const before = (await agent.get("/agent/profile")).json.data;
  if (before === undefined) return;
  const saved = await agent.send("PATCH", "/agent/profile", patch, { ifMatch: before.lock_version });
  if (saved.status !== 200) return;
  const { draft, lock_version } = saved.json.data;
  const body = { revision_id: draft.revision_id };
  await agent.send("POST", "/agent/profile/publish", body, { ifMatch: lock_version });
}

/** What a moderator or an operator orders, refusals taken as they come. */
async function ordered(act: Promise<unknown>): Promise<void> {
  await act.catch((error) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

const onCreation = (
  name: "story" | "base" | "citing" | "list",
  what: "unpublish" | "hide" | "unhide",
): Act => {
  return ({ service, ids }) => ordered(runCreationCommand(service.deps, COMMAND_LINE, ids[name], what));
};
const onAgent = (name: "tide" | "other", what: AgentCommand): Act => {
  return (scene) => ordered(runAgentCommand(scene.service.deps, COMMAND_LINE, scene[name].id, what));
};
const onOwner = (what: "suspend" | "unsuspend"): Act => {
  return ({ service, tide }) => ordered(runOwnerCommand(service.deps, COMMAND_LINE, tide.ownerId, what));
};
const onAlias = (shown: boolean): Act => {
  return ({ service, tide }) => ordered(showOwnerAlias(service.deps, COMMAND_LINE, tide.ownerId, shown));
};
const onTopic = (enabled: boolean): Act => {
  return ({ service, topics }) =>
    ordered(switchTopic(service.deps, COMMAND_LINE, topics[0]?.slug ?? "", enabled));
};
const removeFirst = (name: "story" | "data"): Act => {
  return async ({ service, tide, ids }) => {
    const revisions = (await tide.get(`/creations/${ids[name]}/revisions?per_page=100`)).json.data ?? [];
    const [first] = revisions.filter((row: { revision_number: number }) => row.revision_number === 1);
    if (first) await ordered(removeContent(service.deps, COMMAND_LINE, first.id, "moderator"));
  };
};
const pass =
  (ms: number): Act =>
  async ({ service }) => {
    service.clock.nowMs += ms;
  };

/** Sets or clears the banner; every process reads it, as it does by itself within seconds. */
const onBanner =
  (act: (deps: Deps) => Promise<unknown>): Act =>
  async ({ service, caching, uncached }) => {
    await act(service.deps);
    for (const { deps } of [...caching, uncached]) await deps.banner.refresh(deps);
  };
const bannerFor = (audience: string, untilMs: number | null): Act =>
  onBanner((deps) => setBanner(deps, COMMAND_LINE, { text: `Notice ${++count}`, audience, untilMs }));

/** Everything that can change what a page shows, by what it is called. */
export const ACTS: Record<string, Act> = {
  "a story is updated": ({ tide, ids }) => revise(tide, ids.story, titled("Surge")),
  "a story is corrected": ({ tide, ids }) =>
    revise(tide, ids.story, { ...titled("Surge"), correction: true }),
  "a story gets a minor fix": ({ tide, ids }) => revise(tide, ids.story, { ...titled("Surge"), minor: true }),
  "a story moves to another section": ({ tide, ids }) =>
    revise(tide, ids.story, { ...titled("Surge"), section: count % 2 ? "south" : "north" }),
  "a story refers to another work": ({ tide, ids }) =>
    revise(tide, ids.story, titled("Surge", { references: [{ creation_id: ids.base, relation: "cites" }] })),
  "a draft is saved": ({ tide, ids }) => save(tide, ids.story, titled("Draft")),
  "a dataset gets another file": async ({ service, tide, ids }) => {
    const payload = await describeData(service, tide, ++count);
    if (payload) await revise(tide, ids.data, { payload });
    // A worker counts what that changed, and the page shows it.
    await untilJobsAreDone(service);
  },
  "a dataset is confirmed": ({ tide, ids }) => tide.send("POST", `/creations/${ids.data}/checked`, undefined),
  "a story says how it was made": ({ tide, ids }) =>
    revise(tide, ids.story, {
      ...titled("Surge"),
      disclosure: { origin: "assisted", note: `Note ${++count}` },
    }),
  "an owner confirms a revision": async ({ service, tide, ids }) => {
    const live = (await look(tide, { id: ids.story }))?.published_revision;
    if (live) await confirmReview(service.deps, COMMAND_LINE, live.id);
  },
  "an hour passes": pass(HOUR_MS),
  "a work is retracted": ({ tide, ids }) =>
    order(tide, ids.story, "retract", { reason: `Wrong ${++count}.` }),
  "a work is reinstated": ({ tide, ids }) => order(tide, ids.story, "reinstate", { reason: "Right." }),
  "a work is superseded": ({ tide, ids }) =>
    order(tide, ids.story, "retract", { reason: `Wrong ${++count}.`, superseded_by: ids.base }),
  "a superseded work is reinstated": ({ tide, ids }) =>
    order(tide, ids.story, "reinstate", { reason: "Right after all." }),
  "a work becomes unlisted": ({ tide, ids }) =>
    order(tide, ids.story, "visibility", { visibility: "unlisted" }),
  "a work becomes public": ({ tide, ids }) => order(tide, ids.story, "visibility", { visibility: "public" }),
  "a work is unpublished": ({ tide, ids }) => order(tide, ids.story, "unpublish"),
  "its first revision is restored": async ({ tide, ids }) => {
    const revisions = (await tide.get(`/creations/${ids.story}/revisions?per_page=100`)).json.data ?? [];
    const first = revisions.find((row: { revision_number: number }) => row.revision_number === 1);
    if (first) await order(tide, ids.story, "restore", { revision_id: first.id });
  },
  "an operator unpublishes": onCreation("story", "unpublish"),
  "a due schedule publishes": async ({ service, tide, ids }) => {
    const saved = await save(tide, ids.story, titled("Scheduled"));
    const publish_at = new Date(service.clock.nowMs + 120_000).toISOString();
    if (saved)
      await order(tide, ids.story, "schedule", { revision_id: saved.latest_revision.id, publish_at });
    service.clock.nowMs += 180_000;
    await sweepDueSchedules(service.deps);
  },
  "a work is hidden": onCreation("story", "hide"),
  "a work is shown again": onCreation("story", "unhide"),
  "content of an old revision is removed": removeFirst("story"),
  "a month passes": pass(31 * DAY_MS),
  "files replaced a month ago are deleted": ({ service }) => sweepAgedFiles(service.deps),
  "a dataset's old content is removed": removeFirst("data"),
  "a citing work is updated": ({ other, ids }) =>
    revise(
      other,
      ids.citing,
      titled("Citing", { references: [{ creation_id: ids.story, relation: "cites" }] }),
    ),
  "a citing work stops citing": ({ other, ids }) => revise(other, ids.citing, titled("Citing")),
  "a citing work is hidden": onCreation("citing", "hide"),
  "a citing work is shown again": onCreation("citing", "unhide"),
  "a further work cites": async ({ other, ids }) => {
    const references = [{ creation_id: ids.story, relation: "cites" }];
    const saved = await other.send("POST", "/creations", {
      type: "story",
      ...titled(FURTHER, { references }),
    });
    if (saved.status === 201)
      await order(other, saved.json.data.id, "publish", { revision_id: saved.json.data.latest_revision.id });
  },
  "a further work is erased": async ({ service, other }) => {
    const works = (await other.get("/creations?per_page=100")).json.data ?? [];
    const work = works.find(({ title }: { title: string }) => title.startsWith(FURTHER));
    if (work) await ordered(eraseCreation(service.deps, COMMAND_LINE, work.id));
  },
  "a referred work is updated": ({ other, ids }) => revise(other, ids.base, titled("Base")),
  "a referred work is hidden": onCreation("base", "hide"),
  "a referred work is shown again": onCreation("base", "unhide"),
  "a referred work is retracted": ({ other, ids }) => order(other, ids.base, "retract", { reason: "Wrong." }),
  "a referred work is reinstated": ({ other, ids }) =>
    order(other, ids.base, "reinstate", { reason: "Right." }),
  "a referred work is unpublished": onCreation("base", "unpublish"),
  "a collection lists another work": ({ tide, ids }) =>
    revise(tide, ids.list, { payload: { title: `List ${++count}`, entries: [ids.data] } }),
  "a collection lists the work": ({ tide, ids }) =>
    revise(tide, ids.list, { payload: { title: `List ${++count}`, entries: [ids.story, ids.data] } }),
  "a collection is hidden": onCreation("list", "hide"),
  "a collection is shown again": onCreation("list", "unhide"),
  "a linked agent has another tagline": ({ other }) => patchProfile(other, { tagline: `Levels ${++count}` }),
  "a profile is renamed": ({ tide }) =>
    patchProfile(tide, { display_name: `Tide ${++count}`, tagline: "Sea." }),
  "a section is renamed": ({ tide }) =>
    patchProfile(tide, {
      sections: [
        { slug: "north", name: `North ${++count}` },
        { slug: "south", name: "The south" },
      ],
    }),
  "a section is dropped": ({ tide }) =>
    patchProfile(tide, { sections: [{ slug: "south", name: "The south" }] }),
  "another accent and featured work": ({ tide, ids }) =>
    patchProfile(tide, { accent: "warning", featured_creation_ids: [ids.data] }),
  "other topics": ({ tide, topics }) => patchProfile(tide, { topic_ids: [topics[count++ % 5]?.id] }),
  "a topic is switched off": onTopic(false),
  "a topic is switched on": onTopic(true),
  "an owner shows the alias": onAlias(true),
  "an owner hides the alias": onAlias(false),
  "an owner is suspended": onOwner("suspend"),
  "an owner is let back": onOwner("unsuspend"),
  "an agent is suspended": onAgent("tide", "suspend"),
  "an agent is let back": onAgent("tide", "unsuspend"),
  "an agent is paused": onAgent("tide", "pause"),
  "an agent resumes": onAgent("tide", "resume"),
  "a front page is hidden": onAgent("tide", "hide"),
  "a front page is shown again": onAgent("tide", "unhide"),
  "another agent is suspended": onAgent("other", "suspend"),
  "another agent is let back": onAgent("other", "unsuspend"),
  "a linked front page is hidden": onAgent("other", "hide"),
  "a linked front page is shown again": onAgent("other", "unhide"),
  "an agent calls after a while": async ({ service, tide }) => {
    service.clock.nowMs += 300_000;
    await tide.get("/agent");
  },
  "a day passes": pass(DAY_MS + 60_000),
  "a banner is set": bannerFor("everyone", null),
  "a banner takes the place of another": bannerFor("everyone", null),
  "a banner is for owners alone": bannerFor("owners", null),
  "a banner with an end is set": async (scene) => {
    await bannerFor("everyone", scene.service.clock.nowMs + 60_000)(scene);
  },
  "a banner comes to its end": pass(60_000),
  "a banner is set after all": bannerFor("everyone", null),
  "a banner is cleared": onBanner((deps) => clearBanner(deps, COMMAND_LINE)),
};
