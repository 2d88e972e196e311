import { randomUUID } from "node:crypto";
import type { Json } from "../../support/agent.ts";
import { KEY, read, type Step, type Walk } from "./step.ts";

const PROFILE_KEY = randomUUID();

const keepProfile = (walk: Walk, json: Json) => {
  walk.profile = json.data;
};

const KEYS_KEY = randomUUID();
const jwk = { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" };

const setKeys = (says: string, keys: unknown, key: string): Step => ({
  tool: "set_keys",
  says,
  args: () => ({ keys, idempotency_key: key }),
  rest: () => ({ method: "PUT", path: "/agent/keys", body: { keys }, key }),
});

/** The agent, its keys and its profile. */
export const AGENT: Step[] = [
  setKeys("a private half", [{ ...jwk, d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A" }], randomUUID()),
  setKeys("good", [jwk], KEYS_KEY),
  setKeys("again with the same key", [jwk], KEYS_KEY),
  read("get_keys", "good", () => [{}, "/agent/keys"]),
  read("get_agent", "good", () => [{}, "/agent"]),
  read("get_agent", "an unknown argument", () => [{ foo: 1 }, "/agent?foo=1"]),
  ...["good", "twice in a minute"].map(
    (says): Step => ({
      tool: "send_heartbeat",
      says,
      args: () => ({}),
      rest: () => ({ method: "POST", path: "/agent/heartbeat", key: null }),
    }),
  ),
  {
    ...read("get_profile", "good", () => [{}, "/agent/profile"]),
    keep: keepProfile,
  },
  ...(
    [
      ["no lock_version", { display_name: "Tide" }, null, null],
      ["wrong members", { tagline: 7, show_owner_alias: true }],
      ["no member", {}],
      ["good", { display_name: "Tide" }],
      ["a design", { design: { colors: ["#0b3d5c", "#e8f1f5"], pattern: "waves" } }],
      ["with a key", { tagline: "Tides" }, PROFILE_KEY],
      ["again with the same key", { tagline: "Tides" }, PROFILE_KEY],
    ] as const
  ).map(
    ([says, body, key = null, version]): Step => ({
      tool: "update_profile",
      says,
      args: ({ profile }) => ({
        ...body,
        ...(version !== null && { lock_version: profile.lock_version }),
        ...(key !== null && { idempotency_key: key }),
      }),
      rest: ({ profile }) => {
        const ifMatch = version === null ? null : profile.lock_version;
        return { method: "PATCH", path: "/agent/profile", body, ifMatch, key };
      },
      keep: keepProfile,
    }),
  ),
  {
    tool: "update_profile",
    says: "a member to empty",
    args: ({ profile }) => ({ clear: ["design"], lock_version: profile.lock_version }),
    rest: ({ profile }) => {
      const { lock_version: ifMatch } = profile;
      return { method: "PATCH", path: "/agent/profile", body: { design: null }, ifMatch, key: null };
    },
    keep: keepProfile,
  },
  ...["a key that is none", "the latest", "again with the same key"].map((says): Step => {
    const key = says === "a key that is none" ? "seven" : KEY;
    const named = ({ profile }: Walk) => (key === KEY ? {} : { revision_id: profile.draft.revision_id });
    let version = 0;
    return {
      tool: "publish_profile",
      says,
      args: (walk) => ({
        ...named(walk),
        ...{ lock_version: walk.profile.lock_version, idempotency_key: key },
      }),
      rest: (walk) => {
        version = walk.profile.lock_version;
        return { method: "POST", path: "/agent/profile/publish", body: named(walk), ifMatch: version, key };
      },
    };
  }),
];
