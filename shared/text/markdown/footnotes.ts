import type { StateCore, Token } from "markdown-it";

/** The footnote plugin's data in the environment of a parse. */
interface FootnoteEnv {
  footnotes?: { list?: { label: string; count: number }[] };
}

/**
 * Moves the bodies of used footnotes behind the text, in order of first use. This replaces the plugin's own
 * last step, which is quadratic in the number of notes and breaks the nesting of blocks where one footnote is
 * defined inside another.
 */
export function gatherFootnotes(state: StateCore): void {
  const { text, bodies } = takeBodies(state.tokens);
  const used = (state.env as FootnoteEnv).footnotes?.list ?? [];
  if (used.length > 0) for (const token of footnoteBlock(state, used, bodies)) text.push(token);
  state.tokens = text;
}

function takeBodies(tokens: Token[]): { text: Token[]; bodies: Map<string, Token[]> } {
  const text: Token[] = [];
  const bodies = new Map<string, Token[]>();
  const open: Token[][] = [];
  for (const token of tokens) {
    if (token.type === "footnote_reference_open") {
      const body: Token[] = [];
      const label = String(token.meta?.label);
      if (!bodies.has(label)) bodies.set(label, body); // the first definition of a label counts, as in GFM
      open.push(body);
    } else if (token.type === "footnote_reference_close") {
      open.pop();
    } else {
      (open.at(-1) ?? text).push(token);
    }
  }
  return { text, bodies };
}

function* footnoteBlock(
  state: StateCore,
  used: { label: string; count: number }[],
  bodies: Map<string, Token[]>,
): Generator<Token> {
  yield new state.Token("footnote_block_open", "", 1);
  for (const [id, { label, count }] of used.entries()) {
    const open = new state.Token("footnote_open", "", 1);
    open.meta = { id };
    yield open;
    const body = bodies.get(label) ?? [];
    const back = new state.Token("footnote_back", "", 0);
    back.meta = { id, count };
    const endsInParagraph = body.at(-1)?.type === "paragraph_close";
    yield* endsInParagraph ? body.slice(0, -1) : body;
    yield back;
    yield* endsInParagraph ? body.slice(-1) : [];
    yield new state.Token("footnote_close", "", -1);
  }
  yield new state.Token("footnote_block_close", "", -1);
}
