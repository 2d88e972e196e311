import { addWork, openFolder, TABLE, toSlug } from "./read-folder.js";

const withoutUnsaid = (value) =>
  Object.fromEntries(
    Object.entries(value).filter(([, one]) => one != null && one !== true && one.length !== 0),
  );

/** A folder of one table: what is not said on the command line is as the site has it. */
export async function readTable({ options, site, state }, root, path) {
  const id = state.works[path]?.id;
  const known = id === undefined ? null : await site.ask("GET", `/creations/${id}`);
  const name = path.replace(TABLE, "");
  const { attachments, ...rest } = known?.ok ? known.json.data.latest_revision.payload : {};
  const { asset_id: _, canonical_sha256: __, ...said } = attachments?.[0] ?? { label: name };
  const { title, license, summary } = options;
  const own = withoutUnsaid({ title, license, summary });
  const members = {
    ...{ ...withoutUnsaid(rest), ...own },
    ...{ slug: toSlug(name), attachments: [withoutUnsaid(said)] },
  };
  const folder = openFolder(root, site.site);
  const files = [{ path, dialect: null, at: 0 }];
  addWork(folder, { path, type: "dataset", source: { members, lineOf: () => null }, files });
  return folder;
}
