const TOWNS = [
  "Zürich",
  "São Paulo",
  "Łódź",
  "東京",
  "Husum",
  "Québec",
  "Bremen",
  "naïve, quoted",
  'the "old" harbour',
];
const WORDS = "amber cloud delta ember forest gauge harbor north paper quiet river signal stone winter".split(
  " ",
);

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * A CSV of at most `bytes` bytes with numbers, dates, blanks, quotes and letters of many scripts; a seed
 * always gives the same file.
 */
export function makeCsv(bytes: number, seed: number): Buffer<ArrayBuffer> {
  const random = seededRandom(seed);
  const pick = (values: readonly string[]) => values[Math.floor(random() * values.length)] ?? "";
  const lines = ["id,day,height_m,count,open,town,note,ratio\n"];
  let size = Buffer.byteLength(lines[0] ?? "");
  for (let id = 1; ; id += 1) {
    const day = new Date(Date.UTC(2015, 0, 1 + Math.floor(random() * 3650))).toISOString().slice(0, 10);
    const height = random() < 0.03 ? "" : (random() * 10).toFixed(2);
    const open = random() < 0.02 ? "" : String(random() < 0.5);
    const note = `${pick(WORDS)} ${pick(WORDS)} ${pick(WORDS)}`;
    const cells = [
      id,
      day,
      height,
      Math.floor(random() * 1000),
      open,
      quote(pick(TOWNS)),
      note,
      random().toFixed(6),
    ];
    const line = `${cells.join(",")}\n`;
    size += Buffer.byteLength(line);
    if (size > bytes) return Buffer.from(lines.join(""));
    lines.push(line);
  }
}

function quote(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
