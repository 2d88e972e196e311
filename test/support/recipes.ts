import { globSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** One block of the recipes: a new file, or a change of an existing file. */
export interface RecipeBlock {
  path: string;
  isNew: boolean;
  text: string;
}

// `path`, new: or `path`: and, below an empty line, the block; more than three backticks hold a block with blocks in it.
const BLOCK = /^`([\w./-]+)`(, new)?:\n\n(`{3,})(\w+)\n([\s\S]*?)^\3$/gm;

/** Reads the blocks of the recipes in docs/recipes, in the order of their numbers. */
export function readRecipes(root: string): RecipeBlock[] {
  const numberOf = (file: string) => Number.parseInt(basename(file), 10);
  const files = globSync("docs/recipes/[0-9]*.md", { cwd: root }).toSorted(
    (a, b) => numberOf(a) - numberOf(b),
  );
  const text = files.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
  return [...text.matchAll(BLOCK)].map(([, path = "", isNew, , language, block = ""]) => {
    const isChange = language === "diff";
    if (isChange === (isNew !== undefined))
      throw new Error(`the recipe of ${path} is neither new nor a change`);
    return { path, isNew: !isChange, text: block };
  });
}

/** Writes the file of a block into a tree, or changes the one that stands there. */
export async function applyBlock(root: string, { path, isNew, text }: RecipeBlock): Promise<void> {
  const file = join(root, path);
  if (isNew) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
    return;
  }
  let changed = await readFile(file, "utf8");
  for (const hunk of text.split(/^@@\n/m)) changed = applyHunk(changed, path, hunk);
  await writeFile(file, changed);
}

/** Puts the new lines of a hunk in the place of the old ones, which must stand in the file exactly once. */
function applyHunk(text: string, path: string, hunk: string): string {
  const lines = hunk.split("\n").slice(0, -1);
  const take = (sign: string) =>
    lines.filter((line) => line.startsWith(sign) || line.startsWith(" ")).map((line) => `${line.slice(1)}\n`);
  const old = take("-").join("");
  const found = text.split(old).length - 1;
  if (found !== 1) throw new Error(`these lines of the recipe stand ${found} times in ${path}:\n${old}`);
  return text.replace(old, () => take("+").join(""));
}
