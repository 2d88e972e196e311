import type { DrawingBlock } from "../drawing-blocks.ts";

/** What `data.from` of a chart names its file by. */
interface NamedFile {
  asset_id: string;
  content_sha256: string;
}

/** A text whose chart names another file, with every other byte as it was; null where the names are not written plainly. */
export function moveSource(
  text: string,
  { line, source }: Pick<DrawingBlock, "line" | "source">,
  file: NamedFile,
): string | null {
  const named = replaceMember(source, "asset_id", file.asset_id);
  const moved = named && replaceMember(named, "content_sha256", file.content_sha256);
  if (moved === null) return null;
  const lines = text.split("\n");
  const after = moved.split("\n");
  // The lines of a block in a list or a quote have more in front.
  for (const [at, before] of source.split("\n").entries()) {
    const whole = lines[line + at];
    if (before === after[at]) continue;
    if (whole?.endsWith(before) !== true) return null;
    lines[line + at] = whole.slice(0, whole.length - before.length) + after[at];
  }
  return lines.join("\n");
}

/** Of equal names JSON reads the last. */
function replaceMember(source: string, name: keyof NamedFile, value: string): string | null {
  const written = [...source.matchAll(new RegExp(`("${name}"\\s*:\\s*)"[^"\\\\]*"`, "g"))].at(-1);
  if (written === undefined) return null;
  const { 0: found, 1: key = "", index } = written;
  const moved = `${source.slice(0, index)}${key}"${value}"${source.slice(index + found.length)}`;
  const wanted = JSON.parse(source);
  wanted.data.from[name] = value;
  return JSON.stringify(JSON.parse(moved)) === JSON.stringify(wanted) ? moved : null;
}
