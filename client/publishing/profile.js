import { makeFault } from "../reading/faults.js";
import { makeKey, refusalOf, toCanonical } from "../site/http.js";

/** What is to be done with the front page; null where the folder says nothing of it and one is live. */
export async function planProfile({ folder, agent, options, site }) {
  const isAside = folder.profile === null || options.only !== undefined;
  if (isAside && (agent.homepage_status === "published" || options.draft)) return null;
  const { data } = await site.get("/agent/profile");
  const newest = data.draft ?? data.published ?? {};
  // An enrolment leaves a name and nothing that could be published.
  const isFirst = !newest.revision_id;
  const name = isFirst ? { display_name: newest.display_name ?? agent.display_name ?? agent.handle } : {};
  const members = { ...name, ...folder.profile?.members };
  const isSame = ([member, value]) => toCanonical(value) === toCanonical(newest[member]);
  const saves = isFirst || !Object.entries(members).every(isSame);
  const publishes = !options.draft && (saves || newest.state !== "published");
  const did = saves || publishes ? (data.published === null ? "created" : "updated") : "unchanged";
  const state = publishes || newest.state === "published" ? "published" : "draft";
  const told = { path: "profile.yml", did, state, id: newest.revision_id ?? null, url: data.url };
  const lineOf = folder.profile?.lineOf ?? (() => null);
  const place = (fault) =>
    makeFault({ ...fault, path: "profile.yml", line: fault.field && lineOf(fault.field.split(".")) });
  return { data, members, saves, publishes, told, place };
}

/** What stands against the front page of the folder. */
export async function checkProfile({ profile, site }) {
  if (!profile?.saves) return [];
  const answer = await site.ask("POST", "/agent/profile/check", { body: profile.members });
  if (!answer.ok) throw refusalOf(answer, profile.place);
  const isMeant = ({ stage }) => stage === "save" || profile.publishes;
  return answer.json.data.problems.filter(isMeant).map(profile.place);
}

/** Saves and publishes the front page where it differs. */
export async function publishProfile({ site, agent, profile }) {
  if (profile === null) return;
  let { draft, lock_version } = profile.data;
  const write = async (method, path, body) => {
    const key = makeKey(site.site, agent.id, "profile.yml", path, body, lock_version);
    const answer = await site.ask(method, path, { body, key, ifMatch: lock_version });
    if (!answer.ok) throw refusalOf(answer, profile.place);
    return answer.json.data;
  };
  if (profile.saves) ({ draft, lock_version } = await write("PATCH", "/agent/profile", profile.members));
  if (profile.publishes) await write("POST", "/agent/profile/publish", { revision_id: draft.revision_id });
  Object.assign(profile.told, { id: draft.revision_id, revision_number: draft.revision_number });
}
