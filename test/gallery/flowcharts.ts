/** A flowchart to look at. */
export interface GalleryFlowchart {
  name: string;
  source: string;
}

const lines = (...rows: string[]): string => rows.join("\n");

function grow(direction: string, nodes: number, connections: number, labelled: boolean): string {
  const rows = [`flowchart ${direction}`];
  let state = 7;
  const next = (bound: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
  for (let index = 0; index < nodes; index += 1) rows.push(`  n${index}["Step ${index}"]`);
  for (let index = 0; index < connections; index += 1) {
    const from = index < nodes - 1 ? Math.floor(index / 2) : next(nodes);
    const to = index < nodes - 1 ? index + 1 : next(nodes);
    rows.push(`  n${from} -->${labelled && index % 5 === 0 ? `|route ${index}|` : ""} n${to}`);
  }
  return rows.join("\n");
}

/** Every form, line, direction and edge case, for the gallery page. */
export const GALLERY_FLOWCHARTS: readonly GalleryFlowchart[] = [
  {
    name: "A decision with a way back",
    source: lines(
      "flowchart TD",
      "  A([Upload arrives]) --> B{Is it UTF-8?}",
      "  B -->|yes| C[Read the header row]",
      "  B -->|no| X[Refuse with the byte that is wrong]",
      "  C --> D{Same number of columns in every row?}",
      "  D -- yes --> E[Count rows and guess types]",
      "  D -- no --> X",
      "  E --> F((Ready))",
      "  X -.-> A",
    ),
  },
  {
    name: "The same from left to right",
    source: lines(
      "flowchart LR",
      "  A([Upload arrives]) --> B{Is it UTF-8?}",
      "  B -->|yes| C[Read the header row]",
      "  B -->|no| X[Refuse with the byte that is wrong]",
      "  C --> D{Same number of columns in every row?}",
      "  D -- yes --> E[Count rows and guess types]",
      "  D -- no --> X",
      "  E --> F((Ready))",
      "  X -.-> A",
    ),
  },
  {
    name: "Five forms, four lines",
    source: lines(
      "graph TB",
      "  A[box] --> B(rounded)",
      "  A --- C([stadium])",
      "  A -.-> D{decision}",
      "  A ==> E((circle))",
      "  B -->|solid| F[end]",
      "  C ---|without head| F",
      "  D -.->|dashed| F",
      "  E ==>|thick| F",
    ),
  },
  { name: "One node", source: "flowchart TD\n  A[Alone]" },
  { name: "One letter", source: "flowchart TD\n  A --> B" },
  {
    name: "Bottom to top",
    source: "flowchart BT\n  Roots --> Trunk --> Branch --> Leaf\n  Trunk -->|left| B2[Bough] --> Leaf",
  },
  { name: "Right to left", source: "flowchart RL\n  A[Third] --> B[Second] -->|then| C[First]\n  A -.-> C" },
  {
    name: "Loops, parallel and opposite connections",
    source: lines(
      "flowchart TD",
      "  A[Draft] -->|save| A",
      "  A -->|publish| B[Published]",
      "  A -->|schedule| B",
      "  A ==> B",
      "  B -.->|restore| A",
      "  B -->|minor update| B",
      "  B --> B",
      "  B --> C((End))",
    ),
  },
  {
    name: "Loops from left to right",
    source: "flowchart LR\n  A{Ready?} -->|not yet| A\n  A -->|yes| B([Go]) --> B\n  B -.-> A",
  },
  {
    name: "Parts that are not connected",
    source: lines(
      "flowchart TD",
      "  A[Morning] --> B[Noon] --> C[Evening]",
      "  X[Ebb] --> Y[Flow] --> X",
      "  L1[Loose one]",
      "  L2(Loose two)",
      "  L3((3))",
      "  P{Here?} --> Q[There]",
    ),
  },
  {
    name: "Long labels",
    source: lines(
      "flowchart TD",
      '  A["A label that explains at some length what happens in this step, because its author had much to say and nobody stopped them: it goes on, and on"] --> B{"Does a decision with a whole sentence inside still hold its text?"}',
      '  B -->|"only if every condition in the long list of conditions holds at once"| C(("A circle with quite a few words in it"))',
      '  B -->|no| D(["A stadium that says more than one line can hold, so that it becomes taller"])',
      "  C --> E[Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft]",
      "  D --> E",
    ),
  },
  {
    name: "Line breaks",
    source:
      'flowchart LR\n  A["first<br>second<br/>third"] -->|"over<br>two lines"| B{"yes<br />or no"} --> C((a<br>b))',
  },
  {
    name: "Scripts of the world",
    source: lines(
      "flowchart TD",
      '  A["上传文件并检查编码是否为统一码"] --> B{"编码正确吗?"}',
      '  B -->|"是"| C["行数を数えて列の型を推測する"]',
      '  B -->|"아니요"| D["오류를 설명하고 거절"]',
      '  C --> E["مرحبا بالعالم (نسخة 2)"]',
      '  E -->|"כן"| F["שלום, עולם!"]',
      '  D --> G(("🎉 👩‍👩‍👧‍👦"))',
      '  F --> H["Ελληνικά και Кириллица"]',
      '  H --> I["ภาษาไทย और हिन्दी"]',
    ),
  },
  {
    name: "Markup is text",
    source:
      'flowchart TD\n  A["<b>bold</b> & <script>alert(1)</script>"] -->|"#quot; &amp;"| B["fa:fa-car $$x^2$$"]',
  },
  {
    name: "A wheel of states",
    source: "flowchart LR\n  A --> B --> C --> D --> E --> A\n  C --> A\n  D -.-> B",
  },
  {
    name: "Fan out, fan in",
    source: lines(
      "flowchart TD",
      "  S([Start])",
      ...Array.from({ length: 9 }, (_, index) => `  S --> t${index}[Task ${index + 1}] --> E([End])`),
    ),
  },
  {
    name: "A long chain",
    source: `flowchart LR\n  ${Array.from({ length: 12 }, (_, index) => `s${index}[Stage ${index + 1}]`).join(" --> ")}`,
  },
  {
    name: "Lines past tall nodes",
    source: lines(
      "flowchart TD",
      "  A --> B[Short]",
      '  A --> C["Tall<br>tall<br>tall<br>tall<br>tall<br>tall"]',
      "  A --> D[Short too]",
      "  B --> E",
      "  C --> E",
      "  D --> E",
      "  A --> E",
      "  A -->|direct| F",
      "  E --> F",
    ),
  },
  { name: "A tree", source: grow("TD", 20, 19, false) },
  { name: "Thirty nodes with labels", source: grow("TD", 30, 40, true) },
  { name: "Full size", source: grow("TD", 50, 100, true) },
  { name: "Full size, left to right", source: grow("LR", 50, 100, false) },
  { name: "Text without words", source: "flowchart TD\n  A[ ] --> B(( ))\n  B --> C{ }" },
];
