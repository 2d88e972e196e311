import { Agent, get } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

// node query-client.ts QUERY CLIENTS: asks the table under an address, each client one question after the other, between
// the lines "begin" and "end" on its standard input; prints "asking" once each has its first answer, and at the end how many
// questions it asked since. It goes on with others after the next "begin". One process serves all rounds of a bench, and
// asks by plain HTTP: clients live on other machines, so what they take of this one must be little.
const [query = "", clients = "1"] = process.argv.slice(2);

/** Each is another question, so that none is answered from what was answered before. */
const QUESTIONS: readonly ((turn: number) => object)[] = [
  (turn) => ({ group: [{ column: "city" }], aggregate: [{ op: "sum", column: "price" }], offset: turn }),
  (turn) => ({ sort: [{ column: "price", order: "desc" }], offset: turn, limit: 50 }),
  (turn) => ({ filter: [{ column: "price", op: "gt", value: String(turn) }], aggregate: [{ op: "count" }] }),
  (turn) => ({ q: `e${turn % 7}`, limit: 20, offset: turn % 50 }),
];

let asked = 0;
let isOver = false;
let round = Promise.resolve();
for await (const line of createInterface({ input: process.stdin })) {
  isOver = line !== "begin";
  if (isOver) await round;
  else round = askAll();
}

async function askAll(): Promise<void> {
  // A server closes a connection that rests as long as the other contest takes.
  const agent = new Agent({ keepAlive: true });
  const first = asked;
  const all = [...Array(Number(clients)).keys()];
  await Promise.all(all.map((client) => ask(agent, client, asked++)));
  console.log("asking");
  await Promise.all(
    all.map(async (client) => {
      while (!isOver) await ask(agent, client, asked++);
    }),
  );
  agent.destroy();
  console.log(asked - first);
}

/** Each client is an address of its own; one that has to wait waits, as it is told. */
async function ask(agent: Agent, client: number, turn: number): Promise<void> {
  const question = QUESTIONS[turn % QUESTIONS.length]?.(turn) ?? {};
  const url = `${query}?question=${encodeURIComponent(JSON.stringify(question))}`;
  const status = await read(agent, url, client);
  if (status === 503 || status === 429) await delay(50);
  else if (status !== 200) throw new Error(`a question answered ${status}`);
}

/** Reads an answer to its end, and gives its status. */
async function read(agent: Agent, url: string, client: number): Promise<number> {
  const headers = { "x-forwarded-for": `203.0.113.${client + 1}` };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  get(url, { agent, headers }, (answer) => {
    answer.on("end", () => resolve(answer.statusCode ?? 0)).on("error", reject);
    answer.resume();
  }).on("error", reject);
  return await promise;
}
