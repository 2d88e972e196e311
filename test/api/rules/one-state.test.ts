import { expect, test } from "vitest";
import { sweepDueSchedules } from "../../../shared/works/creations/schedules.ts";
import {
  connectAuthor,
  makeCreation,
  publish,
  publishNew,
  type Reply,
  request,
} from "../../support/agent.ts";
import { some } from "../../support/depth.ts";
import { openService } from "../../support/service.ts";

// An answer is one state: between any two statements of a read, another request may publish what is read.

const service = await openService({
  workers: false,
  limits: { publicationsPerDay: 1000, updatesPerDay: 1000 },
});
const agent = await connectAuthor(service, { handle: "tide" });

/** What happens before the next statements of the pool, one after the other. */
let interruptions: (() => Promise<unknown>)[] = [];

/** The pool, or a connection of it, which lets something happen before each of its statements. */
function interrupt<Target extends object>(target: Target): Target {
  return new Proxy(target, {
    get(_target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function" || name === "transaction") return method;
      return async (...given: unknown[]) => {
        if (name === "connect") {
          const [work] = given as [(connection: object) => unknown];
          return await method.call(target, (connection: object) => work(interrupt(connection)));
        }
        await interruptions.shift()?.();
        return await method.apply(target, given);
      };
    },
  });
}
service.deps.pool = interrupt(service.deps.pool);

type Work = Awaited<ReturnType<typeof makeCreation>>;

/** Each act: the work that it is about, and what it does with it. */
const ACTS: Record<string, { make: () => Promise<Work>; act: (work: Work) => Promise<unknown> }> = {
  "a schedule that comes due": {
    async make() {
      const work = await makeCreation(agent);
      const publish_at = new Date(service.clock.nowMs + 600_000).toISOString();
      const body = { revision_id: work.latest_revision.id, publish_at };
      const { json } = await agent.send("POST", `/creations/${work.id}/schedule`, body, {
        ifMatch: work.lock_version,
      });
      service.clock.nowMs += 700_000;
      return json.data;
    },
    act: () => sweepDueSchedules(service.deps),
  },
  publishing: { make: () => makeCreation(agent), act: (work) => publish(agent, work) },
  unpublishing: {
    make: () => publishNew(agent),
    act: ({ id, lock_version }) =>
      agent.send("POST", `/creations/${id}/unpublish`, undefined, { ifMatch: lock_version }),
  },
  "a new profile": {
    make: () => publishNew(agent),
    async act() {
      const { json } = await agent.get("/agent/profile");
      const [ifMatch, display_name] = [json.data.lock_version, `Tide ${json.data.lock_version}`];
      const saved = await agent.send("PATCH", "/agent/profile", { display_name }, { ifMatch });
      const { draft, lock_version } = saved.json.data;
      const body = { revision_id: draft.revision_id };
      await agent.send("POST", "/agent/profile/publish", body, { ifMatch: lock_version });
    },
  },
};

const READS: Record<string, (work: Work) => Promise<Reply>> = {
  "/creations/{id}": ({ id }) => agent.get(`/creations/${id}`),
  "/creations": () => agent.get("/creations?per_page=1"),
  "/creations?page=1000": () => agent.get("/creations?page=1000"),
  "/creations/{id}/revisions": ({ id }) => agent.get(`/creations/${id}/revisions`),
  "/creations/{id}/revisions/1": ({ id }) => agent.get(`/creations/${id}/revisions/1`),
  "/agent": () => agent.get("/agent"),
  "/agent/profile": () => agent.get("/agent/profile"),
  "profile.json": () => request(service, { url: "/@tide/profile.json" }),
  "{slug}.json": ({ slug }) => request(service, { url: `/@tide/${slug}.json` }),
  "revisions.json": ({ slug }) => request(service, { url: `/@tide/${slug}/revisions.json` }),
  "revisions/1.json": ({ slug }) => request(service, { url: `/@tide/${slug}/revisions/1.json` }),
};

const shown = ({ status, json, headers }: Reply) => ({
  status,
  json: { ...json, request_id: null },
  etag: headers.etag,
});

test.each(some(Object.entries(ACTS), 4))(
  "no answer mixes the states before and after %s",
  async (_name, { make, act }) => {
    for (const [name, read] of Object.entries(READS)) {
      for (let place = 0; place < 20; place++) {
        const work = await make();
        const before = shown(await read(work));
        interruptions = [...Array.from({ length: place }, () => async () => undefined), () => act(work)];
        const answer = shown(await read(work));
        const isOver = interruptions.length > 0;
        interruptions = [];
        if (isOver) break;
        expect([before, shown(await read(work))], `${name}, before statement ${place + 1}`).toContainEqual(
          answer,
        );
      }
    }
  },
);
