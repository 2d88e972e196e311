import { posix } from "node:path";

/** A folder of one table: what is not said on the command line is as the site has it. */
export async function readTable(run, root, path) {
  const { options, site, state } = run;
  const id = state.works[path]?.id;
  const known = id === undefined ? null : await site.ask("GET", `/creations/${id}`);
  const before = known?.ok ? known.json.data.latest_revision.payload : {};
  const name = posix.basename(path).replace(/\.(csv|tsv|tab|json|jsonl|ndjson)(\.gz|\.zst)?$/i, "");
  const { attachments: [attachment = { label: name }] = [], ...members } = before;
  const { asset_id: _, canonical_sha256: __, ...said } = attachment;
  const { title, license, summary } = options;
  const isSaid = ([member, value]) => value != null && value.length !== 0 && !(member === "show_preview" && value);
  const withoutUnsaid = (value) => Object.fromEntries(Object.entries(value).filter(isSaid));
  const own = withoutUnsaid({ title, license, summary });
  const payload = { ...withoutUnsaid(members), ...own, attachments: [withoutUnsaid(said)] };
  const slug = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const about = {
    path,
    file: path,
    type: "dataset",
    slug,
    payload,
    beside: {},
    above: 0,
    links: [],
    charts: [],
  };
  const work = { ...about, files: [{ path, dialect: null, at: 0 }], lineOf: () => null };
  return {
    root,
    site: site.site,
    works: [work],
    profile: null,
    faults: [],
    ignored: [],
    named: new Set([path]),
  };
}
