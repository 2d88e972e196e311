import module from "node:module";
import { fileURLToPath } from "node:url";

// Loaded before each entry, in a language that every Node reads: npm's install scripts bring Node 24, and an older Node
// would only say that it does not know the ending .ts.
const NEEDED = 24;
const found = process.versions.node;
if (Number.parseInt(found, 10) < NEEDED) {
  console.error(
    `Broadsheet needs Node ${NEEDED} or later, and this is ${found}. Run npm ci without --ignore-scripts, which ` +
      `brings one, or install Node ${NEEDED} and put it first in PATH.`,
  );
  process.exit(1);
}

// Node compiles what it has compiled before half as fast as it reads it back. The processes that this one starts find
// the folder in their environment; where nobody may write it, Node goes without. NODE_DISABLE_COMPILE_CACHE=1 turns this off.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL("../node_modules/.cache/broadsheet", import.meta.url),
);
module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
