import { once } from "node:events";
import { type ServiceProcess, until } from "./service-process.ts";

/** The environment of a process that `openInspector` can connect to. */
export const INSPECTABLE = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

/** The memory of a process after a garbage collection. */
export interface Memory {
  residentMib: number;
  heapMib: number;
}

/** The inspector of one of our processes. */
export interface Inspector {
  measure(): Promise<Memory>;
  close(): void;
}

/** Connects to the inspector of a process that was started with INSPECTABLE. */
export async function openInspector(running: ServiceProcess): Promise<Inspector> {
  const address = () => /Debugger listening on (ws:\S+)/.exec(running.stderr())?.[1];
  await until(() => address() !== undefined, 10_000);
  const socket = new WebSocket(address() ?? "");
  await once(socket, "open");
  let last = 0;
  const ask = async (method: string, params: object = {}): Promise<string> => {
    const id = ++last;
    const answered = new Promise<string>((resolve) => {
      socket.addEventListener("message", function hear({ data }) {
        if (JSON.parse(data).id !== id) return;
        socket.removeEventListener("message", hear);
        resolve(data);
      });
    });
    socket.send(JSON.stringify({ id, method, params }));
    return await answered;
  };
  return {
    async measure() {
      for (let round = 0; round < 3; round++) await ask("HeapProfiler.collectGarbage");
      const expression = "JSON.stringify(process.memoryUsage())";
      const answer = JSON.parse(await ask("Runtime.evaluate", { expression, returnByValue: true }));
      const { rss, heapUsed } = JSON.parse(answer.result.result.value);
      return { residentMib: rss / 2 ** 20, heapMib: heapUsed / 2 ** 20 };
    },
    close: () => socket.close(),
  };
}
