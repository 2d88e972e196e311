import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { VERSION } from "../../shared/ground/version.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "client");
const SENTENCES = /^ *\/(?:\*\*(?: .*|\n(?: *\* .*\n)+ *)\*\/|\/ [@A-Z].*)\n|\/\*\* @type \S+ \*\/ /gm;
/** No text of these files goes over several lines. */
const INDENTED = /^(?!yaml).*\.js$/;
/** Line ends that no statement needs: a sign stands before or behind them; and commas before a bracket that closes. */
const JOINTS = /,\n(?=[)}\]])|\B\n|\n\B/g;
/** Blanks around signs and within braces; a text that held one would be another. */
const BLANKS = / (=>|[!=]==|&&|\|\||\?\?|=) |(?<=\{) | (?=\})/g;
const BLOCK_BYTES = 512;
/** npm sets a time of its own; this one makes equal packages equal bytes. */
const TIME_S = 499_162_500;

/** The npm package of the client with this site's address in it, made of the folder `client`; it needs no other. */
export function packClient(siteUrl: string): Buffer {
  const files = globSync("**/*.{js,mjs}", { cwd: FOLDER }).toSorted();
  const about = {
    name: "broadsheet-client",
    version: VERSION,
    license: "MIT",
    type: "module",
    bin: { broadsheet: "main.js" },
    engines: { node: ">=20" },
    broadsheet: { site: siteUrl },
  };
  // Sentences, types and lines are for those who change the code: without them the package is a tenth smaller.
  const read = (path: string) => {
    const code = readFileSync(join(FOLDER, path), "utf8").replace(SENTENCES, "");
    return Buffer.from(
      INDENTED.test(path) ? code.replace(/^\s+/gm, "").replace(BLANKS, "$1").replace(JOINTS, "") : code,
    );
  };
  const entries = files.map((path) => writeEntry(path, read(path)));
  const own = writeEntry("package.json", Buffer.from(JSON.stringify(about)));
  return gzipSync(Buffer.concat([own, ...entries, Buffer.alloc(2 * BLOCK_BYTES)]), { level: 9 });
}

/** A file of a tar archive: the header of POSIX ustar and the bytes, filled up to whole blocks. */
function writeEntry(path: string, content: Buffer): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits - 1, "0")}\0`;
  header.write(`package/${path}`, 0);
  header.write(octal(path === "main.js" ? 0o755 : 0o644, 8), 100);
  header.write(`${octal(0, 8)}${octal(0, 8)}${octal(content.length, 12)}${octal(TIME_S, 12)}`, 108);
  header.write(`${" ".repeat(8)}0`, 148);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)} `, 148);
  return Buffer.concat([header, content, Buffer.alloc(-content.length & (BLOCK_BYTES - 1))]);
}
