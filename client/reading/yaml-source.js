import { isAlias, isMap, isSeq, LineCounter, parseDocument, visit } from "../yaml.js";

const TOO_MUCH = "Anchors, aliases, tags and merge keys are not read; write the value out.";
const QUOTE = '. Put a text with ": " in it, or a sign at its beginning, in quotes.';

/**
 * The members that a text of YAML 1.2 or JSON has, with the place of each.
 * @typedef {{ members: any, faults: { line: number, message: string }[], lineOf(path: (string | number)[]): number }} Source
 */

/**
 * Reads YAML, or JSON alone; `before` counts the lines of the file above the text.
 * @param {string} text
 * @returns {Source}
 */
export function readYaml(text, { isJson = false, before = 0 } = {}) {
  const counter = new LineCounter();
  const options = { version: "1.2", schema: "core", lineCounter: counter, prettyErrors: false };
  const document = parseDocument(text, /** @type {any} */ (options));
  const lineAt = (offset) => before + counter.linePos(offset ?? 0).line;
  const lineOf = (path) => lineAt(findOffset(document.contents, path));
  const faults = document.errors.map(({ pos, code, message }) => {
    const isText = /^(BLOCK|BAD_SCALAR_START)/.test(code);
    return { line: lineAt(pos[0]), message: `${message}${isText ? QUOTE : ""}` };
  });
  visit(document, (key, node) => {
    const { anchor, tag, range, value } = /** @type {any} */ (node);
    const isSaid = tag && !/^tag:yaml\.org,2002:(map|seq)$/.test(tag);
    if (anchor || isSaid || isAlias(node) || (key === "key" && value === "<<"))
      faults.push({ line: lineAt(range?.[0]), message: TOO_MUCH });
  });
  try {
    if (isJson) JSON.parse(text);
  } catch (error) {
    faults.push({ line: 1, message: `This is no JSON: ${/** @type {Error} */ (error).message}` });
  }
  if (faults.length === 0 && !isMap(document.contents))
    faults.push({ line: lineOf([]), message: "Members must stand here, each as name: value." });
  return { faults, members: faults.length === 0 ? document.toJS() : null, lineOf };
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
