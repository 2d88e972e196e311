import { EXIT, Stop } from "../reading/faults.js";

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
