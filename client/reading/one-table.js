import { toSlug } from "./read-folder.js";

const withoutUnsaid = (value) =>
  Object.fromEntries(
    Object.entries(value).filter(([, one]) => one != null && one !== true && one.length !== 0),
  );

/** A folder of one table: what is not said on the command line is as the site has it. */
export async function readTable({ options, site, state }, root, path) {
  const id = state.works[path]?.id;
  const known = id === undefined ? null : await site.ask("GET", `/creations/${id}`);
  const name = path.replace(/\.(csv|tsv|tab|json|jsonl|ndjson)(\.gz|\.zst)?$/i, "");
  const { attachments, ...members } = known?.ok ? known.json.data.latest_revision.payload : {};
  const { asset_id: _, canonical_sha256: __, ...said } = attachments?.[0] ?? { label: name };
  const { title, license, summary } = options;
  const own = withoutUnsaid({ title, license, summary });
  const payload = { ...withoutUnsaid(members), ...own, attachments: [withoutUnsaid(said)] };
  const about = { path, file: path, type: "dataset", slug: toSlug(name), payload, beside: {}, above: 0 };
  const work = {
    ...about,
    links: [],
    charts: [],
    files: [{ path, dialect: null, at: 0 }],
    lineOf: () => null,
  };
  return { root, site: site.site, works: [work], profile: null };
}
