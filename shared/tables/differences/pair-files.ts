/** What files are paired by. */
export interface PairedFile {
  label: string;
  filename: string;
  content_sha256: string;
}

/** A file in both lists, or in one of them. */
export interface FilePair<File extends PairedFile> {
  change: "added" | "removed" | "changed" | "renamed" | "same";
  from: File | null;
  to: File | null;
}

/**
 * Pairs the files of two revisions by label, then by file name, then by rank among those left: in the order of the
 * second list, and what was removed behind it.
 */
export function pairFiles<File extends PairedFile>(
  from: readonly File[],
  to: readonly File[],
): FilePair<File>[] {
  const pairs = new Map<File, File>();
  const left = { from: [...from], to: [...to] };
  const pairBy = (nameOf: (file: File) => string) => {
    for (const head of [...left.to]) {
      const base = left.from.find((file) => nameOf(file) === nameOf(head));
      if (base === undefined) continue;
      pairs.set(head, base);
      left.from.splice(left.from.indexOf(base), 1);
      left.to.splice(left.to.indexOf(head), 1);
    }
  };
  pairBy(({ label }) => label);
  pairBy(({ filename }) => filename);
  pairBy(() => "");
  const kept = to.map((head): FilePair<File> => {
    const base = pairs.get(head) ?? null;
    return { change: base === null ? "added" : nameChange(base, head), from: base, to: head };
  });
  return [...kept, ...left.from.map((base): FilePair<File> => ({ change: "removed", from: base, to: null }))];
}

function nameChange(base: PairedFile, head: PairedFile): FilePair<PairedFile>["change"] {
  if (base.content_sha256 !== head.content_sha256) return "changed";
  return base.label === head.label && base.filename === head.filename ? "same" : "renamed";
}
