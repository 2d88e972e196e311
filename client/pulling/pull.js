import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { hashSource, listOwn, listPages } from "../publishing/plan.js";
import { noteWork } from "../publishing/save.js";
import { EXIT, makeFault, Stop, stop } from "../reading/faults.js";
import { findInside } from "../reading/links.js";
import { readFolder } from "../reading/read-folder.js";
import { refusalOf } from "../site/http.js";
import { writeWhole } from "../site/state.js";
import { pick, withoutNothing, writeWork } from "./write-work.js";

const ABOUT = "id type slug url revision_number";
const OPEN = "title summary body_markdown sources external_url repository_url";
const SAID = "origin models tools prompt_sha256 human_review note";

/** Writes the work of an address, or all open works of an agent, as a folder that publish reads back. */
export async function pullWorks(run, address, root) {
  const { site, report, agent, options } = run;
  const [, handle, slug] = /@([^/]+)(?:\/([^/?#.]+))?/.exec(address.replace(site.site, "")) ?? [];
  if (handle === undefined)
    throw stop(EXIT.usage, "usage", `${address} is no /@handle/slug of ${site.site}.`);
  const isOwn = agent?.handle === handle;
  const found = `/search/creations?agent=${handle}&fields=summary`;
  const listAll = () => (isOwn ? listOwn(site) : listPages(site, found));
  const urls = slug
    ? [`/@${handle}/${slug}`]
    : (await listAll()).map(({ public_url, url = public_url }) => url);
  const works = [];
  for (const url of urls.filter((one) => one !== null)) works.push(await readWork(site, url, isOwn));
  const files = works.flatMap((work) => work.files);
  const paths = new Map(works.map(({ id, path }) => [id, path]));
  for (const { asset_id, path } of files) paths.set(asset_id, path);
  const written = works.flatMap((work) => writeWork(work, paths));
  for (const { path, at } of files) written.push({ path, content: (await fetchBytes(site, at)).bytes });
  const outside = written.find(({ path }) => findInside("here", path).code !== undefined);
  if (outside) throw stop(EXIT.refused, "outside_folder", `${outside.path} would lie outside of the folder.`);
  const isOther = (path, content) => existsSync(path) && !readFileSync(path).equals(Buffer.from(content));
  const others = written.filter(({ path, content }) => isOther(join(root, path), content));
  const message = "This file is here and differs, so nothing was written; --force replaces it.";
  if (others.length > 0 && !options.force)
    throw new Stop(
      EXIT.conflict,
      others.map(({ path }) => makeFault({ code: "file_differs", message, path })),
    );
  for (const { path, content } of written) writeWhole(join(root, path), content);
  if (isOwn) noteOwn(run, works, root);
  report.works.push(
    ...works.map((work) => ({ did: "pulled", state: "published", ...pick(work, `path ${ABOUT}`) })),
  );
}

async function fetchBytes(site, at) {
  const answer = await site.ask("GET", at);
  if (!answer.ok) throw refusalOf(answer);
  return answer;
}

/** A work with its payload: an own one as it was sent, another as everybody reads it. */
async function readWork(site, url, isOwn) {
  const { data } = await site.get(`${url}.json`);
  const isFolder = data.type === "dataset" || data.type === "file";
  const endings = { collection: ".collection.yml", external_project: ".project.yml" };
  const path = isFolder ? data.slug : `${data.slug}${endings[data.type] ?? ".md"}`;
  const files = data.files.map(({ url: at, inspection, ...file }) => {
    const [, asset_id, name] = /\/media\/([^/]+)\/?([^/?]*)/.exec(at) ?? [];
    const own = isOwn ? `/assets/${asset_id}/content` : at;
    const columns = inspection?.columns ?? [];
    return { ...file, asset_id, columns, at: own, path: posix.join(path, decodeURIComponent(name)) };
  });
  const work = { ...pick(data, ABOUT), path, files };
  if (!isOwn) return { ...work, payload: toPayload(data), beside: {} };
  const { data: remote } = await site.get(`/creations/${data.id}`);
  const { payload, section, disclosure } = remote.latest_revision;
  const { human_review, ...said } = pick(disclosure, SAID);
  const how = withoutNothing({ ...said, human_review: human_review === "none" ? null : human_review });
  if (!disclosure.declared) delete how.origin;
  const visibility = remote.visibility === "unlisted" ? "unlisted" : null;
  const beside = { section, visibility, disclosure: Object.keys(how).length > 0 ? how : null };
  return { ...work, payload, beside, remote };
}

/** The payload of a work as far as its public JSON tells it. */
function toPayload({ type, references, entries, figures, license, freshness, ...data }) {
  const toReference = ({ id, relation, note }) => ({ creation_id: id, relation, note });
  const toFigure = ({ text, question, ...figure }) => {
    const [, digits = "", unit] = /^[-+\d.,\s]*?(?:\.(\d+))?\s*([^\d\s.,].*)?$/.exec(text) ?? [];
    const from = { ...pick(figure, "asset_id content_sha256"), ...question };
    return withoutNothing({ text, from, decimals: digits.length, unit });
  };
  const { title, ...open } = pick(data, OPEN);
  const lists = { references: references.map(toReference), entries: entries.map(({ id }) => id) };
  const more = { license: license?.id, update_frequency: freshness?.update_frequency };
  return { ...(type !== "brief" && { title }), ...open, ...lists, figures: figures.map(toFigure), ...more };
}

/** Notes own works as they are on the site, so that publish has nothing to do. */
function noteOwn(run, works, root) {
  const folder = readFolder(root, run.site.site);
  const toAsset = ({ path, content_sha256, ...file }) => [
    path,
    { ...file, sha256: content_sha256, content_sha256 },
  ];
  const all = new Map(works.flatMap(({ files }) => files.map(toAsset)));
  for (const { path, remote, files } of works) {
    const work = folder.works.find((one) => one.path === path);
    const named = work?.links.filter((link) => link.kind === "file" && all.has(link.path)) ?? [];
    const from = named.map((link) => [link.path, pick(all.get(link.path), "asset_id content_sha256")]);
    const plan = {
      work,
      remote,
      assets: Object.fromEntries(files.map(toAsset)),
      from: Object.fromEntries(from),
    };
    if (work !== undefined) noteWork(run, { ...plan, source: hashSource(work), known: null });
  }
}
