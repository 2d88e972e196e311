import { randomUUID } from "node:crypto";
import type { Json, TestAgent, WriteOptions } from "../../support/agent.ts";

/** What a walk through the tools has made so far, at one of two agents that do the same. */
export interface Walk {
  agent: TestAgent;
  /** Another agent's published work. */
  other: { handle: string; slug: string; rowsAssetId: string };
  profile: Json;
  creation: Json;
  assetId: string;
  usedAssetId: string;
}

/** One call in both forms, written down apart from each other. */
export interface Step {
  tool: string;
  says: string;
  args: (walk: Walk) => Json;
  rest: (walk: Walk) => Rest;
  /** Keeps what later steps need. */
  keep?: (walk: Walk, json: Json) => void;
}

export interface Rest extends WriteOptions {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below /api/v1, or from the site's root with a leading @. */
  path: string;
  body?: object;
}

const KEY = randomUUID();
const CREATE_KEY = randomUUID();
const UNKNOWN = "01M7WVCCXGEVQM8BZ45NSYPBF2";
const story = { title: "November surge", body_markdown: "The gauge rose 1.2 m." };

const keepCreation = (walk: Walk, json: Json) => {
  walk.creation = json.data;
};
const keepProfile = (walk: Walk, json: Json) => {
  walk.profile = json.data;
};

/** A write to the walk's creation with its version and a key, in both forms. */
function write(tool: string, action: string, says: string, body: (walk: Walk) => object = () => ({})): Step {
  const key = randomUUID();
  return {
    tool,
    says,
    args: (walk) => ({
      creation_id: walk.creation.id,
      ...body(walk),
      lock_version: walk.creation.lock_version,
      idempotency_key: key,
    }),
    rest: (walk) => {
      const isDelete = tool === "cancel_schedule";
      const hasBody = Object.keys(body(walk)).length > 0;
      return {
        method: isDelete ? "DELETE" : tool === "update_creation" ? "PATCH" : "POST",
        path: `/creations/${walk.creation.id}${action}`,
        ...(hasBody && { body: body(walk) }),
        ifMatch: walk.creation.lock_version,
        key,
      };
    },
    keep: keepCreation,
  };
}

function read(tool: string, says: string, args: (walk: Walk) => Json, path: (walk: Walk) => string): Step {
  return { tool, says, args, rest: (walk) => ({ path: path(walk) }) };
}

const latest = (walk: Walk) => ({ revision_id: walk.creation.latest_revision.id });

const AGENT: Step[] = [
  read(
    "get_agent",
    "good",
    () => ({}),
    () => "/agent",
  ),
  read(
    "get_agent",
    "an unknown argument",
    () => ({ foo: 1 }),
    () => "/agent?foo=1",
  ),
  {
    tool: "send_heartbeat",
    says: "good",
    args: () => ({}),
    rest: () => ({ method: "POST", path: "/agent/heartbeat", key: null }),
  },
  {
    tool: "send_heartbeat",
    says: "twice in a minute",
    args: () => ({}),
    rest: () => ({ method: "POST", path: "/agent/heartbeat", key: null }),
  },
  {
    ...read(
      "get_profile",
      "good",
      () => ({}),
      () => "/agent/profile",
    ),
    keep: keepProfile,
  },
  {
    tool: "update_profile",
    says: "no lock_version",
    args: () => ({ display_name: "Tide" }),
    rest: () => ({ method: "PATCH", path: "/agent/profile", body: { display_name: "Tide" }, key: null }),
  },
  {
    tool: "update_profile",
    says: "wrong members",
    args: ({ profile }) => ({ tagline: 7, show_owner_alias: true, lock_version: profile.lock_version }),
    rest: ({ profile }) => ({
      method: "PATCH",
      path: "/agent/profile",
      body: { tagline: 7, show_owner_alias: true },
      ifMatch: profile.lock_version,
      key: null,
    }),
  },
  {
    tool: "update_profile",
    says: "no member",
    args: ({ profile }) => ({ lock_version: String(profile.lock_version) }),
    rest: ({ profile }) => ({
      method: "PATCH",
      path: "/agent/profile",
      body: {},
      ifMatch: profile.lock_version,
      key: null,
    }),
  },
  {
    tool: "update_profile",
    says: "good",
    args: ({ profile }) => ({ display_name: "Tide", lock_version: profile.lock_version }),
    rest: ({ profile }) => ({
      method: "PATCH",
      path: "/agent/profile",
      body: { display_name: "Tide" },
      ifMatch: profile.lock_version,
      key: null,
    }),
    keep: keepProfile,
  },
  ...["no key", "a key that is none", "good", "again with the same key"].map((says): Step => {
    const key = says === "no key" ? null : says === "a key that is none" ? "seven" : KEY;
    let version = 0;
    return {
      tool: "publish_profile",
      says,
      args: ({ profile }) => ({
        revision_id: profile.draft.revision_id,
        lock_version: profile.lock_version,
        ...(key !== null && { idempotency_key: key }),
      }),
      rest: ({ profile }) => {
        version = profile.lock_version;
        const body = { revision_id: profile.draft.revision_id };
        return { method: "POST", path: "/agent/profile/publish", body, ifMatch: version, key };
      },
    };
  }),
];

const CREATIONS: Step[] = [
  ...[
    ["no key", { type: "story", payload: story }, null],
    [
      "wrong fields",
      { type: "story", payload: { title: "", body_markdown: "<b>no</b>", pages: 1 } },
      randomUUID(),
    ],
    ["no payload", { type: "novel" }, randomUUID()],
    ["a text as payload", { type: "story", payload: "The gauge rose." }, randomUUID()],
  ].map(([says, body, key]) => ({
    tool: "create_creation",
    says: String(says),
    args: () => ({ ...(body as object), ...(key !== null && { idempotency_key: key }) }),
    rest: () => ({
      method: "POST" as const,
      path: "/creations",
      body: body as object,
      key: key as string | null,
    }),
  })),
  {
    tool: "create_creation",
    says: "good",
    args: () => ({ type: "story", payload: story, idempotency_key: CREATE_KEY }),
    rest: () => ({
      method: "POST",
      path: "/creations",
      body: { type: "story", payload: story },
      key: CREATE_KEY,
    }),
    keep: keepCreation,
  },
  {
    tool: "create_creation",
    says: "another request with the same key",
    args: () => ({ type: "brief", payload: story, idempotency_key: CREATE_KEY }),
    rest: () => ({
      method: "POST",
      path: "/creations",
      body: { type: "brief", payload: story },
      key: CREATE_KEY,
    }),
  },
  read(
    "list_creations",
    "good",
    () => ({ visibility: "private", per_page: 5 }),
    () => "/creations?visibility=private&per_page=5",
  ),
  read(
    "list_creations",
    "wrong words",
    () => ({ state: "done", page: 0 }),
    () => "/creations?state=done&page=0",
  ),
  read(
    "get_creation",
    "good",
    ({ creation }) => ({ creation_id: creation.id }),
    ({ creation }) => `/creations/${creation.id}`,
  ),
  read(
    "get_creation",
    "an unknown id",
    () => ({ creation_id: UNKNOWN }),
    () => `/creations/${UNKNOWN}`,
  ),
  read(
    "get_creation",
    "a path as id",
    () => ({ creation_id: "../agent" }),
    () => "/creations/..%2Fagent",
  ),
  write("update_creation", "", "wrong fields", () => ({ payload: { title: "x" }, minor: "yes" })),
  write("update_creation", "", "good", () => ({
    payload: { ...story, summary: "Short." },
    change_summary: "Shorter.",
  })),
  read(
    "list_revisions",
    "good",
    ({ creation }) => ({ creation_id: creation.id, page: 1 }),
    ({ creation }) => `/creations/${creation.id}/revisions?page=1`,
  ),
  read(
    "list_revisions",
    "a wrong page",
    ({ creation }) => ({ creation_id: creation.id, page: "x" }),
    ({ creation }) => `/creations/${creation.id}/revisions?page=x`,
  ),
  read(
    "get_revision",
    "good",
    ({ creation }) => ({ creation_id: creation.id, revision_id: 1 }),
    ({ creation }) => `/creations/${creation.id}/revisions/1`,
  ),
  read(
    "get_revision",
    "an unknown one",
    ({ creation }) => ({ creation_id: creation.id, revision_id: 9 }),
    ({ creation }) => `/creations/${creation.id}/revisions/9`,
  ),
];

const PUBLISHING: Step[] = [
  write("set_visibility", "/visibility", "before publication", () => ({ visibility: "unlisted" })),
  write("schedule_creation", "/schedule", "in the past", (walk) => ({
    ...latest(walk),
    publish_at: "2020-01-01T00:00:00Z",
  })),
  write("schedule_creation", "/schedule", "good", (walk) => ({
    ...latest(walk),
    publish_at: "2026-12-01T00:00:00Z",
  })),
  write("cancel_schedule", "/schedule", "good"),
  write("cancel_schedule", "/schedule", "with none pending"),
  write("publish_creation", "/publish", "an unknown revision", () => ({ revision_id: UNKNOWN })),
  write("publish_creation", "/publish", "a wrong visibility", (walk) => ({
    ...latest(walk),
    visibility: "secret",
  })),
  write("publish_creation", "/publish", "good", latest),
  write("publish_creation", "/publish", "what is published", latest),
  write("set_visibility", "/visibility", "good", () => ({ visibility: "unlisted" })),
  write("restore_creation", "/restore", "one that was never public", () => ({ revision_id: UNKNOWN })),
  write("restore_creation", "/restore", "good", latest),
  write("unpublish_creation", "/unpublish", "good"),
  {
    tool: "unpublish_creation",
    says: "an old version",
    args: ({ creation }) => ({ creation_id: creation.id, lock_version: 1, idempotency_key: KEY }),
    rest: ({ creation }) => ({
      method: "POST",
      path: `/creations/${creation.id}/unpublish`,
      ifMatch: 1,
      key: KEY,
    }),
  },
];

const ASSETS: Step[] = [
  read(
    "get_asset",
    "good",
    ({ assetId }) => ({ asset_id: assetId }),
    ({ assetId }) => `/assets/${assetId}`,
  ),
  read(
    "get_asset",
    "an unknown one",
    () => ({ asset_id: UNKNOWN }),
    () => `/assets/${UNKNOWN}`,
  ),
  ...[
    ["one in use", (walk: Walk) => walk.usedAssetId] as const,
    ["good", (walk: Walk) => walk.assetId] as const,
    ["one that is gone", (walk: Walk) => walk.assetId] as const,
  ].map(
    ([says, id]): Step => ({
      tool: "delete_asset",
      says,
      args: (walk) => ({ asset_id: id(walk) }),
      rest: (walk) => ({ method: "DELETE", path: `/assets/${id(walk)}`, key: null }),
    }),
  ),
];

const rows = (walk: Walk) => `@/media/${walk.other.rowsAssetId}/rows`;
const PUBLIC: Step[] = [
  read(
    "list_topics",
    "good",
    () => ({}),
    () => "/topics",
  ),
  read(
    "list_docs",
    "good",
    () => ({}),
    () => "/docs",
  ),
  read(
    "read_doc",
    "good",
    () => ({ page: "publishing" }),
    () => "/docs/publishing",
  ),
  read(
    "read_doc",
    "an unknown section",
    () => ({ page: "publishing", section: "x" }),
    () => "/docs/publishing?section=x",
  ),
  read(
    "read_agent",
    "good",
    ({ other }) => ({ handle: `@${other.handle}` }),
    ({ other }) => `@/@${other.handle}/profile.json`,
  ),
  read(
    "read_agent",
    "an unknown one",
    () => ({ handle: "nobody-here" }),
    () => "@/@nobody-here/profile.json",
  ),
  read(
    "read_creation",
    "good",
    ({ other }) => ({ handle: other.handle, slug: other.slug }),
    ({ other }) => `@/@${other.handle}/${other.slug}.json`,
  ),
  read(
    "read_creation",
    "by url",
    ({ other }) => ({ url: `http://localhost:3000/@${other.handle}/${other.slug}` }),
    ({ other }) => `@/@${other.handle}/${other.slug}.json`,
  ),
  read(
    "read_creation",
    "an unknown one",
    ({ other }) => ({ handle: other.handle, slug: "x" }),
    ({ other }) => `@/@${other.handle}/x.json`,
  ),
  read(
    "read_dataset_rows",
    "good",
    (walk) => ({
      asset_id: walk.other.rowsAssetId,
      columns: ["height", "station"],
      filter: [
        { column: "height", op: "gte", value: 4 },
        { column: "station", op: "ne" },
      ],
      limit: 2,
      from: "end",
    }),
    (walk) =>
      `${rows(walk)}?columns[]=height&columns[]=station&filter[0][column]=height&filter[0][op]=gte&filter[0][value]=4&filter[1][column]=station&filter[1][op]=ne&limit=2&from=end`,
  ),
  read(
    "read_dataset_rows",
    "by rows_url",
    (walk) => ({ rows_url: `http://localhost:3000/media/${walk.other.rowsAssetId}/rows`, offset: 1 }),
    (walk) => `${rows(walk)}?offset=1`,
  ),
  read(
    "read_dataset_rows",
    "an unknown column",
    (walk) => ({ asset_id: walk.other.rowsAssetId, columns: ["depth"] }),
    (walk) => `${rows(walk)}?columns[]=depth`,
  ),
  read(
    "read_dataset_rows",
    "a wrong limit",
    (walk) => ({ asset_id: walk.other.rowsAssetId, limit: 0 }),
    (walk) => `${rows(walk)}?limit=0`,
  ),
  read(
    "search_agents",
    "good",
    () => ({ query: "tide", page: 1 }),
    () => "/search/agents?query=tide&page=1",
  ),
  read(
    "search_agents",
    "an unknown topic",
    () => ({ topic: "none-such" }),
    () => "/search/agents?topic=none-such",
  ),
  read(
    "search_creations",
    "good",
    () => ({ query: "gauge", type: "dataset", has_sources: false }),
    () => "/search/creations?query=gauge&type=dataset&has_sources=false",
  ),
  read(
    "search_creations",
    "a wrong type",
    () => ({ type: "novel" }),
    () => "/search/creations?type=novel",
  ),
];

/** Every tool with good and bad input, in an order in which each finds what it needs. */
export const STEPS: readonly Step[] = [...AGENT, ...CREATIONS, ...PUBLISHING, ...ASSETS, ...PUBLIC];
