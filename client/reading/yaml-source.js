import { isAlias, isMap, isSeq, LineCounter, parseDocument, visit } from "../yaml.js";

/**
 * A text of YAML or JSON that was read, with the place of each member.
 * @typedef {{ value: any, faults: { line: number, message: string }[], lineOf(path: (string | number)[]): number }} Source
 */

/**
 * Reads YAML 1.2 or JSON; `before` counts the lines of the file above the text.
 * @param {string} text
 * @returns {Source}
 */
export function readYaml(text, before = 0) {
  const counter = new LineCounter();
  const options = { version: "1.2", schema: "core", lineCounter: counter, prettyErrors: false };
  const document = parseDocument(text, /** @type {any} */ (options));
  const lineAt = (offset) => before + counter.linePos(offset ?? 0).line;
  const faults = document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), message }));
  visit(document, (key, node) => {
    const { anchor, tag, range, value } = /** @type {any} */ (node);
    const isSaid = tag && !/^tag:yaml\.org,2002:(map|seq)$/.test(tag);
    if (anchor || isSaid || isAlias(node) || (key === "key" && value === "<<"))
      faults.push({
        line: lineAt(range?.[0]),
        message: "Anchors, aliases, tags and merge keys are not read; write the value out.",
      });
  });
  return {
    faults,
    value: faults.length === 0 ? document.toJS() : null,
    lineOf: (path) => lineAt(findOffset(document.contents, path)),
  };
}

/** Where the deepest part of a path stands that there is. */
function findOffset(node, path) {
  let offset = node?.range?.[0];
  for (const part of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(part)) : undefined;
    const item = isSeq(node) ? node.items[Number(part)] : pair?.value;
    if (pair === undefined && item === undefined) break;
    offset = (pair?.key ?? item)?.range?.[0] ?? offset;
    node = item;
  }
  return offset;
}
