import { EXIT, stop } from "../reading/faults.js";

/** The id of a work, or the asset of a file, that is named by its address on this site. */
export async function findAddress({ site }, work, { address, kind, field, line }) {
  const [, media] = /^\/media\/([0-9A-Z]{26})/i.exec(address) ?? [];
  const [, page, n] = /^(\/@[^/]+\/[^/?#]+?)(?:\.json|\.md)?(?:\/files\/(\d+)[^/]*)?$/.exec(address) ?? [];
  const path = kind === "file" && media ? `/media/${media}/rows?limit=1` : `${page}.json`;
  const { ok, json } = page || media ? await site.ask("GET", path) : { ok: false, json: null };
  if (ok && media && kind === "file") return { asset_id: media, content_sha256: json.content_sha256 };
  if (ok && kind === "work") return { id: json.data.id };
  const files = ok ? json.data.files : [];
  const file = n === undefined && files.length > 1 ? undefined : files[Number(n ?? 1) - 1];
  if (file !== undefined) {
    const [, asset_id] = /\/media\/([0-9A-Z]{26})/i.exec(file.url) ?? [];
    return { asset_id, content_sha256: file.content_sha256 };
  }
  const message = `There is no ${kind} at ${address}${files.length > 1 ? `; it has files/1 to files/${files.length}` : ""}.`;
  throw stop(EXIT.refused, "not_found", message, { path: work.file, line, field: field.join(".") });
}
