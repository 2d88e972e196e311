import { EXIT, refuse, refuseAll, Stop } from "../reading/faults.js";
import { bindPayload } from "../reading/read-text.js";
import { sha256 } from "../site/http.js";
import { toCanonical } from "../verify/proof.mjs";

/** All entries of a list of the site. */
export async function listPages(site, path, page = 1) {
  const { data, meta } = await site.get(`${path}&page=${page}`);
  return page < meta.last_page ? [...data, ...(await listPages(site, path, page + 1))] : data;
}

/** The works of the caller, whatever their state. */
export const listOwn = (site) => listPages(site, "/creations?per_page=100");

/**
 * A work of the folder beside what there is of it: `known` in broadsheet.json, at another path where it moved, `remote` in
 * the site's list, found by its id or by slug and type, and `latest`, its newest revision, where that may be another than
 * the known one.
 */
export async function planWork(run, work) {
  const bySlug = run.remote.find(({ slug, type }) => slug === work.slug && type === work.type);
  const moved = Object.values(run.state.works).find(({ id }) => id === bySlug?.id);
  const known = run.state.works[work.path] ?? moved ?? null;
  const byId = run.remote.find(({ id }) => id === known?.id);
  const remote = byId ?? bySlug ?? null;
  const { slug, type } = byId ?? work;
  // The slug of a whole folder may be the name under which it lies here.
  const isOne = type === work.type && (slug === work.slug || work.path === ".");
  const message = `This is the ${type} ${slug} on the site, which it stays; give a new work another path.`;
  if (!isOne) refuse(run.folder, work.file, message, { field: "slug", line: work.lineOf(["slug"]) });
  const isKnown = byId !== undefined && !known.sending;
  const isOther = isKnown ? byId.latest_revision.revision_number !== known.revision_number : remote !== null;
  const latest = isOther ? (await run.site.get(`/creations/${remote.id}`)).data.latest_revision : null;
  return {
    ...{ work, known: byId ? known : null, remote, latest, isOther, source: hashSource(work) },
    ...{ assets: {}, from: {}, leftOut: [], told: {}, saves: false },
    ...{ releases: null, checksum: null },
  };
}

/** A hash of what a folder says of a work, with paths in place of ids. */
export const hashSource = ({ type, payload, beside: { section, disclosure } }) =>
  sha256(toCanonical([type, payload, section, disclosure]));

/** The id of a work, or the asset of a file, that is named by its address on this site. */
export async function findAddress({ site }, file, { address, kind, field, line }) {
  const [, media] = /^\/media\/([0-9A-Z]{26})/i.exec(address) ?? [];
  const [, page, n] = /^(\/@[^/]+\/[^/?#]+?)(?:\.json|\.md)?(?:\/files\/(\d+)[^/]*)?$/.exec(address) ?? [];
  const path = kind === "file" && media ? `/media/${media}/rows?limit=1` : `${page}.json`;
  const { ok, json } = page || media ? await site.ask("GET", path) : { ok: false, json: null };
  if (ok && media && kind === "file") return { asset_id: media, content_sha256: json.content_sha256 };
  if (ok && kind === "work") return { id: json.data.id };
  const files = ok ? json.data.files : [];
  const { url, content_sha256 } = (n || files.length === 1 ? files[Number(n ?? 1) - 1] : undefined) ?? {};
  if (url !== undefined) return { asset_id: /\/media\/(\w{26})/.exec(url)?.[1], content_sha256 };
  const message = `There is no ${kind} at ${address}${files.length > 1 ? `; it has files/1 to files/${files.length}` : ""}.`;
  throw new Stop(EXIT.refused, { code: "not_found", message, path: file, line, field });
}

/** Whether the newest revision is one that this folder did not make, and says neither what it knows nor what it would send. */
export function isConflict({ known, latest, isOther, checksum }) {
  if (!isOther || !known?.revision_number || latest.revision_number === known.revision_number) return false;
  return ![known.sending, known.payload_sha256, checksum].includes(latest.checksum);
}

/** What ends a conflict: the site's revision comes here, or the folder's goes there. */
export function sayWays({ site, folder, agent }, { work, known, source }) {
  const force = known.source_sha256 === source ? "" : " --force";
  const pull = `${site.line} pull @${agent.handle}/${work.slug} ${folder.root}${force}`;
  return `${pull} takes the site's revision, publish --force the folder's.`;
}

/** Ends the run where a revision of another hand would be replaced. */
export function refuseConflicts(run, plans) {
  const conflicts = run.options.force ? [] : plans.filter(isConflict);
  const faults = conflicts.map((plan) => {
    const { work, known, latest } = plan;
    const message = `${work.path} has revision ${latest.revision_number} on the site; this folder knows ${known.revision_number}.`;
    return { path: work.file, code: "revision_changed", message, hint: sayWays(run, plan) };
  });
  refuseAll(faults, EXIT.conflict);
}

/** Whether nothing of a work has to be sent: it is as in broadsheet.json, and so on the site. */
export function isAsKnown({ options }, { work, known, source, isOther, assets, from }) {
  if (known === null || isOther || known.source_sha256 !== source) return false;
  const isSame = ({ path }) => known.files[path]?.asset_id === assets[path]?.asset_id;
  return work.files.every(isSame) && (!options.rebind || !isRebound(known, from));
}

const isRebound = (known, from) =>
  Object.entries(from).some(([path, { asset_id }]) => known?.from?.[path]?.asset_id !== asset_id);

/** What changed, in sentences for readers. */
function summarize({ work, known, source, assets, from }) {
  const files = work.files.flatMap(({ path }) => {
    const [before, now, name] = [known?.files[path], assets[path], path.split("/").at(-1)];
    const rows = now.rows_added && `${now.rows_added} row${now.rows_added === 1 ? "" : "s"} added`;
    const what = rows || (before ? "a new version" : "added");
    return before?.asset_id === now.asset_id ? [] : `${name}: ${what}.`;
  });
  const text = work.payload.body_markdown === undefined ? "Description changed." : "Text changed.";
  const bound = isRebound(known, from) ? ["Bound to the newest data."] : [];
  return [...(known?.source_sha256 === source ? bound : [text]), ...files].join(" ").slice(0, 500) || text;
}

/** Makes the body of a work from the ids that there are by now. */
export function makeBody({ plans, addresses, options }, plan) {
  const { work, remote, known, from, assets, blanks } = plan;
  const toId = ({ path, address }) =>
    path ? (plans.get(path).remote?.id ?? null) : addresses.get(address).id;
  const { payload, leftOut } = bindPayload(work, toId, ({ path, address }) => ({
    ...from[path ?? address],
    ...blanks?.[path],
  }));
  for (const { path, at } of work.files)
    payload.attachments[at] = { asset_id: assets[path].asset_id, ...payload.attachments[at] };
  const { section, disclosure, change_summary: own, ...beside } = work.beside;
  // What the front matter says of a change is said once.
  const isSaid = own !== undefined && own !== known?.change_summary;
  const said = isSaid ? beside : {};
  const { minor = said.minor, correction = said.correction } = options;
  const summary = remote?.first_published_at ? summarize(plan) : undefined;
  const change_summary = options["change-summary"] ?? (isSaid ? own : summary);
  const head = remote === null ? { type: work.type, slug: work.slug } : {};
  plan.leftOut = leftOut;
  plan.body = { ...head, payload, section, disclosure, change_summary, minor, correction };
}
