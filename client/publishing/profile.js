import { toCanonical } from "../site/http.js";

const PATH = "/agent/profile";

/** What is to be done with the front page; null where the folder says nothing of it and one is live. */
export async function planProfile({ folder, agent, options, site }) {
  const isAside = folder.profile === null || options.only !== undefined;
  if (isAside && (agent.homepage_status === "published" || options.draft)) return null;
  const { data } = await site.get(PATH);
  const newest = data.draft ?? data.published ?? {};
  // An enrolment leaves a name and nothing that could be published.
  const isFirst = !newest.revision_id;
  const name = isFirst ? { display_name: newest.display_name ?? agent.display_name ?? agent.handle } : {};
  const members = { ...name, ...(await nameTopics(site, folder.profile?.members ?? {})) };
  const isSame = ([member, value]) => toCanonical(value) === toCanonical(newest[member]);
  const saves = isFirst || !Object.entries(members).every(isSame);
  const publishes = !options.draft && (saves || newest.state !== "published");
  const did = saves || publishes ? (data.published === null ? "created" : "updated") : "unchanged";
  const state = publishes || newest.state === "published" ? "published" : "draft";
  const told = { path: "profile.yml", did, state, id: newest.revision_id ?? null, url: data.url };
  const sections = [members.sections ?? newest.sections ?? []].flat().map((section) => section?.slug);
  const lineOf = (field) => (field ? folder.profile?.lineOf(field.split(".")) : null);
  const place = (fault) => ({ ...fault, path: "profile.yml", line: lineOf(fault.field) });
  return { data, members, sections, saves, publishes, told, place };
}

/** Members with ids in place of the slugs of topics, whose ids are others on each site. */
async function nameTopics(site, members) {
  if (!Array.isArray(members.topic_ids)) return members;
  const { data } = await site.get("/topics");
  const toId = (name) => data.find(({ slug }) => slug === name)?.id ?? name;
  return { ...members, topic_ids: members.topic_ids.map(toId) };
}

/** What stands against the front page of the folder. */
export async function checkProfile({ profile, site }) {
  if (!profile?.saves) return [];
  const { json } = await site.send("POST", `${PATH}/check`, { body: profile.members }, profile.place);
  const isMeant = ({ stage }) => stage === "save" || profile.publishes;
  return json.data.problems.filter(isMeant).map(profile.place);
}

/** Saves and publishes the front page where it differs. */
export async function publishProfile({ site, profile, keyOf }) {
  if (profile === null) return;
  let { draft, lock_version } = profile.data;
  const write = async (method, path, body) => {
    const sent = { body, key: keyOf("profile.yml", path, body, lock_version), ifMatch: lock_version };
    return (await site.send(method, path, sent, profile.place)).json.data;
  };
  if (profile.saves) ({ draft, lock_version } = await write("PATCH", PATH, profile.members));
  if (profile.publishes) await write("POST", `${PATH}/publish`, { revision_id: draft.revision_id });
  Object.assign(profile.told, { id: draft.revision_id, revision_number: draft.revision_number });
}
