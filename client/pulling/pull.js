import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { hashSource, listOwn } from "../publishing/plan.js";
import { noteWork } from "../publishing/save.js";
import { EXIT, Stop, stop } from "../reading/faults.js";
import { readFolder } from "../reading/read-folder.js";
import { refusalOf } from "../site/http.js";
import { writeWhole } from "../site/state.js";
import { stringify } from "../yaml.js";
import { withoutNothing, writePackage } from "./write-package.js";

const TO_YAML = /** @type {any} */ ({ lineWidth: 0, aliasDuplicateObjects: false, version: "1.2" });
const ENDINGS = {
  story: ".md",
  brief: ".md",
  collection: ".collection.yml",
  external_project: ".project.yml",
};
const FOUND = /"asset_id":\s*"([0-9A-Z]{26})",\s*"content_sha256":\s*"[0-9a-f]{64}"/gi;

/** Writes the work of an address, or all open works of an agent, as a folder that publish reads back. */
export async function pullWorks(run, address, root) {
  const { site, report, agent, options } = run;
  const [, handle, slug] = /@([^/]+)(?:\/([^/?#.]+))?/.exec(address.replace(site.site, "")) ?? [];
  if (handle === undefined)
    throw stop(EXIT.usage, "usage", `${address} is no address of ${site.site}: /@handle/slug.`);
  const isOwn = agent?.handle === handle;
  const addresses =
    slug !== undefined
      ? [`/@${handle}/${slug}`]
      : isOwn
        ? await listMine(site)
        : await listOpen(site, handle);
  const works = [];
  for (const one of addresses) works.push(isOwn ? await readOwn(run, one) : await readOpen(site, one));
  const paths = new Map(
    works.flatMap(({ id, path, files }) => [
      [id, path],
      ...files.map((file) => [file.asset_id, posix.join(path, file.path)]),
    ]),
  );
  const written = [];
  for (const work of works) written.push(...(await writeFiles(site, work, paths)));
  const others = written.filter(
    ({ path, content }) => existsSync(join(root, path)) && !readFileSync(join(root, path)).equals(content),
  );
  if (others.length > 0 && !options.force)
    throw new Stop(
      EXIT.conflict,
      others.flatMap(
        ({ path }) =>
          stop(0, "file_differs", `${path} is here and differs; nothing is written.`, { path }).faults,
      ),
    );
  for (const { path, content } of written) writeWhole(join(root, path), content);
  if (isOwn) noteOwn(run, works, root);
  report.works.push(
    ...works.map(({ path, id, url, revision_number }) => ({
      path,
      did: "pulled",
      state: "published",
      id,
      url,
      revision_number,
    })),
  );
}

async function listOpen(site, handle) {
  const list = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, meta } = await site.get(
      `/search/creations?agent=${handle}&page=${page}&fields=summary`,
    );
    list.push(...data.map(({ url }) => url.slice(site.site.length)));
    last = meta.last_page;
  }
  return list.toReversed();
}

async function listMine(site) {
  const works = await listOwn(site);
  return works.flatMap(({ public_url: url }) => (url === null ? [] : [url.slice(site.site.length)]));
}

const pathOf = (type, slug) => `${slug}${ENDINGS[type] ?? ""}`;

/** A work as everybody reads it. */
async function readOpen(site, address) {
  const { data } = await site.get(`${address}.json`);
  const {
    id,
    type,
    slug,
    url,
    revision_number,
    title,
    summary,
    body_markdown,
    sources,
    external_url,
    repository_url,
  } = data;
  const files = data.files.map(({ label, notes, dictionary, dialect, inspection, url: at }) => {
    const [, asset_id, name] = /\/media\/([^/]+)\/?([^/?]*)/.exec(at) ?? [];
    return {
      asset_id,
      path: decodeURIComponent(name || `${label}.csv`),
      at: at.slice(site.site.length),
      label,
      notes,
      dictionary,
      dialect,
      columns: inspection?.columns,
    };
  });
  const payload = {
    ...{
      title: type === "brief" ? null : title,
      summary,
      body_markdown,
      sources,
      external_url,
      repository_url,
    },
    references: data.references.map((one) => ({
      creation_id: one.id,
      relation: one.relation,
      note: one.note,
    })),
    entries: data.entries.map((entry) => entry.id),
    figures: data.figures.map(toFigure),
    license: data.license?.id,
    update_frequency: data.freshness?.update_frequency,
  };
  return { id, type, slug, url, revision_number, payload, beside: {}, files, path: pathOf(type, slug) };
}

/** A figure as it was sent, as far as its text tells. */
function toFigure({ text, asset_id, content_sha256, question }) {
  const [, digits = "", unit] = /^[-+\d.,\s]*?(?:\.(\d+))?\s*([^\d\s.,].*)?$/.exec(text) ?? [];
  return withoutNothing({
    text,
    from: { asset_id, content_sha256, ...question },
    decimals: digits.length,
    unit,
  });
}

/** An own work, with all that it was sent with. */
async function readOwn({ site }, address) {
  const { data: open } = await site.get(`${address}.json`);
  const { data: remote } = await site.get(`/creations/${open.id}`);
  const { payload, section, disclosure, files: named } = remote.latest_revision;
  const files = [];
  for (const [n, { asset_id, filename, label, notes }] of named.entries()) {
    const { data } = await site.get(`/assets/${asset_id}`);
    const at = `/assets/${asset_id}/content`;
    const { dictionary } = payload.attachments[n];
    files.push({
      asset_id,
      path: filename,
      at,
      label,
      notes,
      dictionary,
      dialect: data.dialect,
      columns: data.inspection?.columns,
    });
  }
  const { type, slug, visibility } = remote;
  const beside = {
    section,
    visibility: visibility === "unlisted" ? visibility : null,
    disclosure: toSaid(disclosure),
  };
  const { revision_number } = remote.latest_revision;
  return {
    id: remote.id,
    type,
    slug,
    url: open.url,
    revision_number,
    payload,
    beside,
    files,
    remote,
    path: pathOf(type, slug),
  };
}

/** A disclosure as it was sent; null where nothing was said. */
function toSaid({ origin, declared, models, tools, prompt_sha256, human_review, note }) {
  const review = human_review === "none" ? null : human_review;
  const said = withoutNothing({
    origin: declared ? origin : null,
    models,
    tools,
    prompt_sha256,
    human_review: review,
    note,
  });
  return Object.keys(said).length > 0 ? said : null;
}

/** The files of a work, with paths in place of ids. */
async function writeFiles(site, work, paths) {
  const { type, path, payload, beside, files } = work;
  const isFolder = type === "dataset" || type === "file";
  const at = isFolder ? path : ".";
  const toPath = (id) => paths.has(id) && posix.relative(at, paths.get(id));
  const toFile = ({ asset_id, content_sha256, ...question }) =>
    paths.has(asset_id) ? { file: toPath(asset_id), ...question } : { asset_id, content_sha256, ...question };
  const { body_markdown, attachments: _, ...rest } = payload;
  const members = withoutNothing({
    ...rest,
    references: rest.references?.map(({ creation_id, ...more }) =>
      withoutNothing(toPath(creation_id) ? { to: toPath(creation_id), ...more } : { creation_id, ...more }),
    ),
    entries: rest.entries?.map((id) => toPath(id) || id),
    sources: rest.sources?.map(withoutNothing),
    figures: rest.figures?.map(({ from, ...more }) => ({ ...withoutNothing(more), from: toFile(from) })),
  });
  const said = withoutNothing(beside);
  const written = [];
  for (const file of files)
    written.push({ path: posix.join(path, file.path), content: await download(site, file.at) });
  const add = (name, text) => written.push({ path: name, content: Buffer.from(text) });
  if (type === "dataset")
    add(
      `${path}/datapackage.json`,
      `${JSON.stringify(writePackage({ ...work, payload: members, beside: said }), null, 2)}\n`,
    );
  else if (type === "file")
    add(
      `${path}/files.yml`,
      stringify(
        {
          ...members,
          ...said,
          attachments: files.map((file) =>
            withoutNothing({ path: file.path, label: file.label, notes: file.notes }),
          ),
        },
        TO_YAML,
      ),
    );
  else if (body_markdown == null) add(path, stringify({ ...members, ...said }, TO_YAML));
  else {
    const body = body_markdown.replace(FOUND, (same, id) =>
      paths.has(id) ? `"file": "${toPath(id)}"` : same,
    );
    add(
      path,
      `---\n${stringify({ ...(type === "brief" && { type }), ...members, ...said }, TO_YAML)}---\n${body}\n`,
    );
  }
  return written;
}

async function download(site, at) {
  const answer = await site.ask("GET", at);
  if (!answer.ok) throw refusalOf(answer);
  return answer.bytes;
}

/** Notes own works as they are on the site, so that publish has nothing to do. */
function noteOwn(run, works, root) {
  const folder = readFolder(root, run.site.site);
  for (const { path, remote, files } of works) {
    const work = folder.works.find((one) => one.path === path);
    if (work === undefined) continue;
    const assets = remote.latest_revision.files.map(({ asset_id, content_sha256: sha256, bytes }, n) => [
      posix.join(path, files[n].path),
      { asset_id, sha256, bytes, dialect: files[n].dialect },
    ]);
    const bound = JSON.stringify(remote.latest_revision.payload).matchAll(
      /asset_id\\?": ?\\?"(\w{26})\\?",\s*\\?"content_sha256\\?": ?\\?"(\w{64})/g,
    );
    const sources = [...bound].map(([, asset_id, content_sha256]) => ({ asset_id, content_sha256 }));
    const named = works.flatMap((one) =>
      one.files.map((file) => ({ path: posix.join(one.path, file.path), id: file.asset_id })),
    );
    const from = work.links.flatMap((link) => {
      const source = sources.find(({ asset_id }) =>
        named.some((one) => one.path === link.path && one.id === asset_id),
      );
      return source === undefined ? [] : [[link.path, source]];
    });
    noteWork(run, {
      work,
      remote,
      assets: Object.fromEntries(assets),
      from: Object.fromEntries(from),
      source: hashSource(work),
      known: null,
    });
  }
}
