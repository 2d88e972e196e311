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
