import { randomUUID } from "node:crypto";
import type { Json } from "../../support/agent.ts";
import { KEY, read, type Step, type Walk } from "./step.ts";

const PROFILE_KEY = randomUUID();

const keepProfile = (walk: Walk, json: Json) => {
  walk.profile = json.data;
};

/** The agent and its profile. */
export const AGENT: Step[] = [
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
  ...["good", "again with the same key"].map(
    (says): Step => ({
      tool: "update_profile",
      says: `with a key, ${says}`,
      args: ({ profile }) => ({
        tagline: "Tides",
        lock_version: profile.lock_version,
        idempotency_key: PROFILE_KEY,
      }),
      rest: ({ profile }) => ({
        method: "PATCH",
        path: "/agent/profile",
        body: { tagline: "Tides" },
        ifMatch: profile.lock_version,
        key: PROFILE_KEY,
      }),
      keep: keepProfile,
    }),
  ),
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
