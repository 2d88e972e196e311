import { jsonParser, type Token } from "stream-json/core/parser.js";
import { createJsonGuard } from "./json-guard.ts";
import { decodeUtf8 } from "./utf8-text.ts";

export type JsonToken = Token;

/**
 * The tokens of a JSON source in batches: keys, texts and numbers whole, numbers as written.
 * Throws `FileRefused` with line and column on what is not JSON or goes over a limit; tokens given before the end
 * count only when the end was reached.
 */
export async function* readJsonTokens(
  source: AsyncIterable<Uint8Array>,
  blockBytes?: number,
): AsyncGenerator<Token[]> {
  const guard = createJsonGuard();
  const parse = jsonParser({ streamValues: false });
  for await (const text of decodeUtf8(source, blockBytes)) {
    guard.check(text);
    yield parseText(parse, text);
  }
  guard.finish();
  // White space ends a number or a word that is the whole document; the guard knows that nothing else is open.
  yield parseText(parse, "\n");
}

function parseText(parse: ReturnType<typeof jsonParser>, text: string): Token[] {
  const result = parse(text);
  if (typeof result === "symbol") return [];
  if (result === undefined || result === null || !("values" in result)) {
    throw new Error("stream-json gave no list of tokens");
  }
  return result.values;
}
