import { execFile } from "node:child_process";
import { open, rename, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Makes a file whose bytes come once `writeSlowFile` brings them: whoever reads it from its start waits. */
export async function makeSlowFile(path: string): Promise<void> {
  await promisify(execFile)("mkfifo", [path]);
}

/** Lets who waits for a slow file have its bytes; whoever reads it later finds a plain file. */
export async function writeSlowFile(path: string, content: string): Promise<void> {
  const pipe = await open(path, "w");
  await writeFile(`${path}.plain`, content);
  await rename(`${path}.plain`, path);
  await pipe.writeFile(content);
  await pipe.close();
}
