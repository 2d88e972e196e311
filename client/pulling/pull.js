import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { hashSource, listOwn, listPages } from "../publishing/plan.js";
import { noteWork } from "../publishing/save.js";
import { EXIT, refuseAll, usage } from "../reading/faults.js";
import { ENDINGS, HEADS, readFolder } from "../reading/read-folder.js";
import { findInside } from "../reading/read-text.js";
import { sha256 } from "../site/http.js";
import { writeWhole } from "../site/state.js";
import { writeProof } from "./proofs.js";
import { orNothing, pick, SAID, withoutNothing, writeWork } from "./write-work.js";

const ABOUT = "id type slug url revision_number";
const OPEN = "title summary body_markdown sources external_url repository_url";

const ADDRESS = /^(?:(https?:\/\/[^/]+)\/|\/?)@([^/?#]+)(?:\/([^/?#.]+)(?:\.json|\.md)?)?\/?$/;

/** The parts of the address of a work or an agent, which may lack its site and its slug. */
export function readAddress(address) {
  const [, at, handle, slug] = ADDRESS.exec(address) ?? [];
  if (handle === undefined) throw usage(`${address} is no address of a work or an agent.`);
  return { at, handle, slug };
}

/** Writes the work of an address, or all open works of an agent, as a folder that publish reads back. */
export async function pullWorks(run, address, root) {
  const { site, report, agent, options } = run;
  const { at = site.site, handle, slug } = readAddress(address);
  if (at !== site.site) throw usage(`${address} is not on ${site.site}.`);
  const isOwn = agent?.handle === handle;
  const search = `/search/creations?agent=${handle}&fields=summary`;
  const listed = slug ? [] : await (isOwn ? listOwn(site) : listPages(site, search));
  const urls = slug ? [`/@${handle}/${slug}`] : listed.map(({ public_url, url = public_url }) => url);
  const found = [];
  const known = Object.entries(run.state?.works ?? {}).map(toKnown);
  for (const url of urls) if (url !== null) found.push(await readWork(site, url, isOwn, known));
  const here = isOwn ? listUntouched(readFolder(root, site), known) : new Set();
  const isNewest = ({ path, remote, files }) =>
    [path, ...files.map((file) => file.path)].every((one) => here.has(one)) &&
    run.state.works[path].revision_number === remote.latest_revision.revision_number;
  const works = found.filter((work) => !isNewest(work));
  const all = [...found, ...known.filter(({ path }) => existsSync(join(root, path)))];
  for (const work of works) work.from = findFiles(work, all);
  const paths = new Map(all.map(({ id, path }) => [id, path]));
  const readHere = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "");
  const written = works.flatMap((work) => writeWork(work, paths, readHere));
  for (const { path, at } of works.flatMap(({ files }) => files))
    written.push({ path, content: (await site.send("GET", at)).bytes });
  refuseOthers(written, root, here, options);
  for (const { path, content } of written) writeWhole(join(root, path), content);
  if (isOwn) noteOwn(run, works, root);
  const kept = new Map();
  for (const work of found) work.proof = await writeProof(run, work, root, kept);
  const toTold = (work) => ({ did: works.includes(work) ? "pulled" : "unchanged", state: "published" });
  report.works.push(...found.map((work) => ({ ...toTold(work), ...pick(work, `path proof ${ABOUT}`) })));
}

/** A work of broadsheet.json, with a list of its files. */
const toKnown = ([path, { files = {}, ...one }]) => ({
  ...{ ...one, path },
  files: Object.entries(files).map(([at, file]) => ({ ...file, path: at })),
});

/** The works and files that lie here as broadsheet.json knows them, with the files in which works stand. */
function listUntouched({ root, works }, known) {
  const isSame = ({ path, sha256: hash }) =>
    existsSync(join(root, path)) && sha256(readFileSync(join(root, path))) === hash;
  const isNoted = (work) =>
    known.some(({ path, source_sha256 }) => path === work.path && source_sha256 === hashSource(work));
  const heads = works.filter(isNoted).flatMap(({ path, file }) => [path, file]);
  const files = known.flatMap((one) => one.files).filter(isSame);
  return new Set([...heads, ...files.map(({ path }) => path)]);
}

/** Ends the command where a file would lie outside of the folder, or in place of one that differs. */
function refuseOthers(written, root, here, { force }) {
  refuseAll(written.map(({ path }) => ({ path, ...findInside("here", path) })).filter(({ code }) => code));
  const isOther = (path, content) => existsSync(path) && !readFileSync(path).equals(Buffer.from(content));
  const isKept = ({ path, content }) => !force && !here.has(path) && isOther(join(root, path), content);
  const message = "This file differs here, so nothing was written; --force replaces it.";
  const others = written.filter(isKept).map(({ path }) => ({ code: "file_differs", message, path }));
  refuseAll(others, EXIT.conflict);
}

/** A work with its payload: an own one as it was sent, another as everybody reads it. */
async function readWork(site, url, isOwn, known) {
  const { data } = await site.get(`${url}.json`);
  const before = known.find(
    ({ id, path, files }) => id === data.id && files.every((file) => file.path !== path),
  );
  const ending = HEADS[data.type] ? "" : (ENDINGS[data.type] ?? ENDINGS.story);
  const { path = `${data.slug}${ending}` } = before ?? {};
  const files = data.files.map(({ url: at, inspection, ...file }) => {
    const [, asset_id, name] = /\/media\/([^/]+)\/?([^/?]*)/.exec(at) ?? [];
    const own = isOwn ? `/assets/${asset_id}/content` : at;
    const columns = inspection?.columns ?? [];
    const filename = decodeURIComponent(name);
    const here = before?.files.find((one) => posix.basename(one.path) === filename);
    return { ...file, asset_id, columns, at: own, path: here?.path ?? posix.join(path, filename) };
  });
  const asks = [...data.figures, ...data.charts.flatMap(({ bound }) => bound ?? [])];
  const work = { ...pick(data, ABOUT), path, files, asks, data };
  if (!isOwn) return { ...work, payload: toPayload(data), beside: {} };
  const { data: remote } = await site.get(`/creations/${data.id}`);
  const { payload, section, disclosure } = remote.latest_revision;
  const { origin, human_review, ...said } = pick(disclosure, SAID);
  said.human_review = human_review === "none" ? null : human_review;
  const how = orNothing({ origin: disclosure.declared ? origin : null, ...said });
  const visibility = remote.visibility === "unlisted" ? "unlisted" : null;
  const beside = { section, visibility, disclosure: how };
  return { ...work, payload, beside, remote };
}

/** The payload of a work as far as its public JSON tells it. */
function toPayload({ type, references, entries, figures, license, freshness, ...data }) {
  const toReference = ({ id, relation, note }) => ({ creation_id: id, relation, note });
  const toFigure = ({ question, ...figure }) => {
    const from = { ...pick(figure, "asset_id content_sha256"), ...question };
    return withoutNothing({ ...pick(figure, "text decimals unit"), from });
  };
  const { title, ...open } = pick(data, OPEN);
  const lists = { references: references.map(toReference), entries: entries.map(({ id }) => id) };
  const more = { license: license?.id, update_frequency: freshness?.update_frequency };
  return { ...(type !== "brief" && { title }), ...open, ...lists, figures: figures.map(toFigure), ...more };
}

/** The files that a text asks, by their paths here; where the data moved on since, the text stays bound to those before. */
function findFiles({ asks }, works) {
  const found = {};
  for (const { asset_id, content_sha256, creation } of asks) {
    const { files = [] } = works.find(({ id }) => id === creation?.id) ?? {};
    const file = files.find((one) => one.asset_id === asset_id) ?? (files.length === 1 ? files[0] : null);
    if (file) found[file.path] ??= { asset_id, content_sha256 };
  }
  return found;
}

/** Notes own works as they are on the site, so that publish has nothing to do. */
function noteOwn(run, works, root) {
  const folder = readFolder(root, run.site);
  const toAsset = ({ path, content_sha256: sha256, ...file }) => [path, { ...file, sha256 }];
  for (const { path, remote, files, from } of works) {
    const work = folder.works.find((one) => one.path === path);
    const assets = Object.fromEntries(files.map(toAsset));
    if (work) noteWork(run, { work, remote, assets, from, source: hashSource(work), known: null });
  }
}
