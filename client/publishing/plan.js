import { EXIT, stop } from "../reading/faults.js";
import { sha256, toCanonical } from "../site/http.js";

/** The works of the caller, whatever their state. */
export async function listOwn(site) {
  const works = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, meta } = await site.get(`/creations?per_page=100&page=${page}`);
    works.push(...data);
    last = meta.last_page;
  }
  return works;
}

/**
 * What is to be done with a work: `known` is what broadsheet.json has, `remote` what the site lists, `latest` the newest
 * revision where it was read, `source` a hash of what the folder says.
 * @typedef {{ work: import("../reading/read-folder.js").Work, known: any, remote: any, latest: any, source: string,
 *   isOther: boolean, assets: Record<string, any>, from: Record<string, any>, body: any, leftOut: string[],
 *   saves: boolean, releases: string | null, checksum: string | null, counts: string | null, told: any }} Plan
 */

/**
 * Finds a work on the site, by its id or by its slug and type.
 * @returns {Promise<Plan>}
 */
export async function planWork(run, work) {
  const known = run.state.works[work.path] ?? null;
  const byId = run.remote.find(({ id }) => id === known?.id);
  const remote =
    byId ?? run.remote.find(({ slug, type }) => slug === work.slug && type === work.type) ?? null;
  const isKnown = byId !== undefined && !known.sending;
  const isOther = isKnown ? byId.latest_revision.revision_number !== known.revision_number : remote !== null;
  const latest = isOther ? (await run.site.get(`/creations/${remote.id}`)).data.latest_revision : null;
  const source = hashSource(work);
  const plan = {
    work,
    known: byId ? known : null,
    remote,
    latest,
    source,
    isOther,
    assets: {},
    from: {},
    body: null,
  };
  return { ...plan, leftOut: [], saves: false, releases: null, checksum: null, counts: null, told: {} };
}

/** A hash of what a folder says of a work, with paths in place of ids. */
export function hashSource({ type, payload, beside: { section, disclosure } }) {
  return sha256(toCanonical([type, payload, section, disclosure]));
}

/** Whether the newest revision is one that this folder did not make and that is not what it would send now. */
export function isConflict({ known, latest, isOther, checksum }) {
  if (!isOther || known === null || latest.revision_number === known.revision_number) return false;
  return latest.checksum !== known.sending && latest.checksum !== checksum;
}

/** Ends the run where a revision of another hand would be replaced. */
export function refuseConflicts(run, plans) {
  const conflicts = run.options.force ? [] : plans.filter(isConflict);
  if (conflicts.length === 0) return;
  const faults = conflicts.map(({ work, known, latest }) => {
    const message = `The site has revision ${latest.revision_number} of ${work.path}, and this folder knows revision ${known.revision_number}.`;
    const hint = "Look at it with status and pull, or publish with --force.";
    return stop(EXIT.conflict, "revision_changed", message, { path: work.file, hint }).faults;
  });
  const end = stop(EXIT.conflict, "", "");
  end.faults = faults.flat();
  throw end;
}

/** The files that a work had in its newest revision, for those that did not change or only grew. */
export function listBases({ known, latest }, path) {
  const own = known?.files?.[path];
  const there = (latest?.files ?? []).map(({ asset_id, content_sha256, bytes }) => ({
    asset_id,
    sha256: content_sha256,
    bytes,
  }));
  return own === undefined ? there : [own, ...there];
}

/** Whether nothing of a work has to be sent: as in broadsheet.json, and so on the site. */
export function isAsKnown(run, { work, known, source, isOther, assets, from }) {
  if (known === null || isOther || known.source_sha256 !== source) return false;
  const isSame = (path) => known.files?.[path]?.asset_id === assets[path]?.asset_id;
  const isBound = ([path, { asset_id }]) => known.from?.[path]?.asset_id === asset_id;
  return (
    work.files.every(({ path }) => isSame(path)) &&
    (!run.options.rebind || Object.entries(from).every(isBound))
  );
}

/** What changed, in a sentence for readers. */
export function summarize({ work, known, source, assets, from }) {
  const files = work.files.flatMap(({ path }) => {
    const [before, now] = [known?.files?.[path], assets[path]];
    const name = path.split("/").at(-1);
    if (before?.asset_id === now.asset_id) return [];
    const rows = now.rows_added;
    return rows
      ? `${name}: ${rows} ${rows === 1 ? "row" : "rows"} added.`
      : `${name}: ${before ? "a new version" : "added"}.`;
  });
  const isRebound = Object.entries(from).some(
    ([path, { asset_id }]) => known?.from?.[path]?.asset_id !== asset_id,
  );
  const text = work.payload.body_markdown === undefined ? "Description changed." : "Text changed.";
  const words = known?.source_sha256 !== source ? [text] : isRebound ? ["Bound to the newest data."] : [];
  return [...words, ...files].join(" ").slice(0, 500) || text;
}
