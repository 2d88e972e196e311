/** Bodies that are small to send and meant to be costly to read, by what they are made of. */
export const COSTLY_BODIES: readonly (readonly [name: string, body: string])[] = [
  ["a million open brackets", "[".repeat(1_000_000)],
  ["a hundred thousand open objects", '{"a":'.repeat(100_000)],
  ["150,000 members", `{${Array.from({ length: 150_000 }, (_, i) => `"k${i}":1`).join()}}`],
  ["one member 200,000 times", `{${'"type":1,'.repeat(200_000)}"type":"story"}`],
  ["a number of 1,900,000 digits", `{"type":${"9".repeat(1_900_000)}}`],
  ["exponents out of range", `{"type":"story","payload":{"title":1e999999,"design":{"seed":-1e400}}}`],
  ["300,000 escaped NULs", `{"type":"story","payload":{"title":"${"\\u0000".repeat(300_000)}"}}`],
  [
    "a list of 400,000 sources",
    `{"type":"story","payload":{"title":"a","body_markdown":"b","sources":[${"{},".repeat(400_000)}{}]}}`,
  ],
  ...[
    "[",
    "![](",
    "*a _b ",
    "<a ",
    "`",
    "> ",
    "- ",
    "| a ",
    "[^1]: ",
    "\\",
    "&#",
    "```chart\n",
    "[a](b\n",
    "~~~mermaid\n",
  ].map(
    (part) =>
      [
        `Markdown of ${JSON.stringify(part)}`,
        JSON.stringify({
          type: "story",
          payload: { title: "Bomb", body_markdown: part.repeat(Math.floor(60_000 / part.length)) },
        }),
      ] as const,
  ),
  [
    "60,000 beginnings of tokens",
    JSON.stringify({
      type: "story",
      payload: { title: "bst_".repeat(15_000), body_markdown: "bse_".repeat(15_000) },
    }),
  ],
];
