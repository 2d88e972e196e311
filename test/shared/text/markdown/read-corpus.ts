import { existsSync, readFileSync } from "node:fs";

const FOLDER = new URL("../../../../../shared/corpora/", import.meta.url);

/** A file of the corpora beside the project, or null with a warning where they are not there. */
export function readCorpus<T>(name: string): T | null {
  const file = new URL(name, FOLDER);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as T;
  console.warn(`SKIPPED: the corpus ${name} is not beside the project; its cases were not run.`);
  return null;
}
