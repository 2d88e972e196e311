/** A name that every reader of JSONPath takes after a dot; two words are operators of one of them. */
const PLAIN = /^(?!(?:parent|where)$)[A-Za-z_][A-Za-z0-9_]*$/;
const TO_ESCAPE = /['\\\u0000-\u001f]/g;

/** The path to the records of a table, or to one member of each. */
export function writeJsonPath(list: string | null, member?: string): string {
  const records = `$${list === null ? "" : step(list)}[*]`;
  return member === undefined ? records : records + step(member);
}

/** The path to a member of a record. */
export function writeMemberPath(member: string): string {
  return `$${step(member)}`;
}

function step(name: string): string {
  return PLAIN.test(name) ? `.${name}` : `['${name.replace(TO_ESCAPE, escapeCharacter)}']`;
}

/** As a text of RFC 9535 in single quotes writes it. */
function escapeCharacter(character: string): string {
  if (character === "'" || character === "\\") return `\\${character}`;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
