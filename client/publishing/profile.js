import { toCanonical } from "../verify/proof.mjs";

const PATH = "/agent/profile";

/** What is to be done with the front page, and what stands against it; null where the folder says nothing of it and one is live. */
export async function planProfile({ folder, agent, options, site }) {
  const isAside = folder.profile === null || options.only !== undefined;
  if (isAside && (agent.homepage_status === "published" || options.draft)) return null;
  const { data } = await site.get(PATH);
  const { draft, url } = data;
  const { revision_id: id, revision_number } = draft;
  // An enrolment leaves a name and nothing that could be published.
  const name = id === null && { display_name: draft.display_name ?? agent.handle };
  const members = { ...name, ...folder.profile?.members };
  const lineOf = (field) => (field ? folder.profile?.lineOf(field.split(".")) : null);
  const place = (fault) => ({ ...fault, path: "profile.yml", line: lineOf(fault.field) });
  const isSame = ([member, value]) => toCanonical(value) === toCanonical(draft[member]);
  const isAsDraft = !name && Object.entries(members).every(isSame);
  const check = isAsDraft ? null : await site.send("POST", `${PATH}/check`, { body: members }, place);
  const { result, problems } = check?.json.data ?? { problems: [] };
  // Topics have slugs in the folder and ids on the site: what both say has one checksum.
  const saves = !isAsDraft && result?.checksum !== draft.checksum;
  const publishes = !options.draft && (saves || draft.state !== "published");
  const did = saves || publishes ? (data.published === null ? "created" : "updated") : "unchanged";
  const state = publishes || draft.state === "published" ? "published" : "draft";
  const told = { path: "profile.yml", did, state, id, url, revision_number };
  const sections = [members.sections ?? draft.sections].flat().map((section) => section?.slug);
  const isMeant = ({ stage }) => saves && (stage === "save" || publishes);
  const faults = problems.filter(isMeant).map(place);
  return { data, members, sections, saves, publishes, told, place, faults };
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
  const { revision_id: id, revision_number } = draft;
  if (profile.publishes) await write("POST", `${PATH}/publish`, { revision_id: id });
  Object.assign(profile.told, { id, revision_number });
}
