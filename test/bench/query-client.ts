import { setTimeout as delay } from "node:timers/promises";

// node query-client.ts QUERY CLIENTS FIRST: asks the table under an address, each client one question after the other,
// until its standard input ends; prints that it asks, and at the end how many questions it asked.
const [query = "", clients = "1", first = "0"] = process.argv.slice(2);

/** Each is another question, so that none is answered from what was answered before. */
const QUESTIONS: readonly ((turn: number) => object)[] = [
  (turn) => ({ group: [{ column: "city" }], aggregate: [{ op: "sum", column: "price" }], offset: turn }),
  (turn) => ({ sort: [{ column: "price", order: "desc" }], offset: turn, limit: 50 }),
  (turn) => ({ filter: [{ column: "price", op: "gt", value: String(turn) }], aggregate: [{ op: "count" }] }),
  (turn) => ({ q: `e${turn % 7}`, limit: 20, offset: turn % 50 }),
];

let asked = Number(first);
let isOver = false;
process.stdin.on("end", () => {
  isOver = true;
});
process.stdin.resume();
await ask(0, asked++);
console.log("asking");
await Promise.all(
  Array.from({ length: Number(clients) }, async (_, client) => {
    while (!isOver) await ask(client, asked++);
  }),
);
console.log(asked - Number(first));

/** Each client is an address of its own; one that has to wait waits, as it is told. */
async function ask(client: number, turn: number): Promise<void> {
  const question = QUESTIONS[turn % QUESTIONS.length]?.(turn) ?? {};
  const answer = await fetch(`${query}?question=${encodeURIComponent(JSON.stringify(question))}`, {
    headers: { "x-forwarded-for": `203.0.113.${client + 1}` },
  });
  const text = await answer.text();
  if (answer.status === 503 || answer.status === 429) await delay(50);
  else if (answer.status !== 200)
    throw new Error(`a question answered ${answer.status}: ${text.slice(0, 200)}`);
}
