import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SyntaxKind } from "typescript/unstable/ast";
import { createScanner } from "typescript/unstable/ast/scanner";

/** A regular expression of the tree: a literal, or a call that makes one out of a text. */
export interface Pattern {
  file: string;
  /** As it is written; of a call, `RegExp(` alone. */
  source: string;
}

/** The tokens that end an operand: a slash behind one divides, any other begins a regular expression. */
const ENDS_OPERAND: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.ThisKeyword,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
]);

/** Every regular expression of the code under a root, read with TypeScript's own scanner. */
export function listPatterns(root: string): Pattern[] {
  const files = globSync("{sql,shared,api,workers,cli}/**/*.{ts,js}", { cwd: root }).sort();
  return files.flatMap((file) =>
    findPatterns(readFileSync(join(root, file), "utf8")).map((source) => ({ file, source })),
  );
}

/** The regular expressions in a text of TypeScript, in their order. */
export function findPatterns(text: string): string[] {
  const scanner = createScanner(true, undefined, text);
  const found: string[] = [];
  const braces = openBraces();
  let before: SyntaxKind = SyntaxKind.Unknown;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    if (braces.endsSubstitution(kind)) kind = scanner.reScanTemplateToken(false);
    else if (isSlash(kind) && !ENDS_OPERAND.has(before)) {
      kind = scanner.reScanSlashToken();
      found.push(scanner.getTokenText());
    } else if (kind === SyntaxKind.OpenParenToken) {
      if (text.slice(0, scanner.getTokenStart()).endsWith("RegExp")) found.push("RegExp(");
    }
    braces.pass(kind);
    before = kind;
  }
  return found;
}

/** Counts braces, to tell one that ends a block from one that ends a part of a template. */
function openBraces() {
  const templates: number[] = [];
  let depth = 0;
  return {
    endsSubstitution: (kind: SyntaxKind) => kind === SyntaxKind.CloseBraceToken && templates.at(-1) === depth,
    pass(kind: SyntaxKind): void {
      if (kind === SyntaxKind.OpenBraceToken) depth++;
      else if (kind === SyntaxKind.CloseBraceToken) depth--;
      else if (kind === SyntaxKind.TemplateHead) templates.push(depth);
      else if (kind === SyntaxKind.TemplateTail) templates.pop();
    },
  };
}

function isSlash(kind: SyntaxKind): boolean {
  return kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken;
}
