import { move, transferableSymbol, valueSymbol } from "piscina";
import { isFramed } from "../../ground/framed-json.ts";
import { useFiles } from "./stored-file.ts";
import type { ThreadAnswer, ThreadWork } from "./tasks.ts";

/** A task on its way into a thread: the module and function that do it, and where the thread notes when it began. */
export interface SentTask {
  module: string;
  name: string;
  task: ThreadWork;
  /** The file store that the task reads. */
  filesUrl: string;
  /** One 64-bit number: nanoseconds of the process's steady clock; zero until the work begins. */
  begun: SharedArrayBuffer;
}

/** Loads the module of a task and does the task, inside a thread; its time begins once the module is loaded. */
export async function runSentTask({ module, name, task, filesUrl, begun }: SentTask): Promise<unknown> {
  const works = await import(module);
  useFiles(filesUrl);
  Atomics.store(new BigInt64Array(begun), 0, process.hrtime.bigint());
  return moveJson(await works[name](task));
}

// A smaller answer is cloned as fast as its memory is handed over.
const LEAST_MOVED_BYTES = 65_536;

/**
 * An answer that hands over the memory of its JSON: cloned, a megabyte of it holds the event loop of the process for 3 ms.
 * What has other memory, such as that of a library, is cloned.
 */
function moveJson(answer: ThreadAnswer<unknown>): unknown {
  const buffer = answer.found ? findJson(answer.result)?.buffer : undefined;
  if (buffer === undefined) return answer;
  return move({
    get [transferableSymbol]() {
      return [buffer];
    },
    get [valueSymbol]() {
      return answer;
    },
  });
}

/** The JSON of a page of rows, of a question or of a comparison; null of anything else, such as a picture, and where it is small. */
function findJson(result: unknown): Uint8Array<ArrayBuffer> | null {
  const { outcome = result } = (result ?? {}) as { outcome?: unknown };
  const json = outcome instanceof Uint8Array ? outcome : (outcome as { json?: unknown } | null)?.json;
  if (!(json instanceof Uint8Array) || json.byteLength < LEAST_MOVED_BYTES || !isFramed(json)) return null;
  return json as Uint8Array<ArrayBuffer>;
}
