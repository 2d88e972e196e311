import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";

const ROOT = resolve(import.meta.dirname, "..", "..");

/** The one file in which the YAML library lies in the client: an image has no development dependency to bundle it from. */
export const BUNDLE = join(ROOT, "client", "yaml.js");

const NAMES = "parseDocument, visit, isAlias, isMap, isSeq";

/** Bundles the installed library, with its licence, into one file that imports nothing. */
export async function bundleYaml(): Promise<string> {
  const folder = join(ROOT, "node_modules", "yaml");
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const licence = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  const entry = "\0entry";
  const bundle = await rolldown({
    input: entry,
    cwd: ROOT,
    platform: "browser",
    treeshake: { moduleSideEffects: false, propertyReadSideEffects: false },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? `export { ${NAMES} } from "${folder}/browser/index.js";` : undefined),
      },
    ],
  });
  // What the library would say on the console, the client says of its files.
  const minify = { compress: { dropConsole: true }, mangle: true, codegen: true };
  const { output } = await bundle.generate({ format: "esm", minify, comments: false });
  await bundle.close();
  return `// @ts-nocheck\n/* yaml ${version}\n${licence}\n*/\n${output[0].code}`;
}

// npm run client:yaml: renews the file after a new version of the library.
if (import.meta.main) writeFileSync(BUNDLE, await bundleYaml());
