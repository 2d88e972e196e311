/** The rows of every Markdown table in a text, cells trimmed, that begin with a name in code. */
export function listRows(text: string): string[][] {
  return [...text.matchAll(/^\| `([^`]+)`.*$/gm)].map(([line]) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}
