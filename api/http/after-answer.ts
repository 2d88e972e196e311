import type { FastifyInstance, FastifyReply } from "fastify";
import { tooMuchToDo } from "../../shared/ground/errors.ts";
import type { Deps } from "../../shared/platform/deps.ts";

/** Work that waits or runs at once in a process: each holds a database connection for a moment. */
const MOST = 500;
const RETRY_AFTER_SECONDS = 2;

/** Runs work when a reply is sent or its caller has left; throws 503 at once where too much of it waits. */
export type AfterAnswer = (reply: FastifyReply, work: () => Promise<void>) => void;

/** Opens the place for work that must not show in an answer's time; a close waits for it. */
export function openAfterAnswer(app: FastifyInstance, { log }: Pick<Deps, "log">): AfterAnswer {
  const running = new Set<Promise<void>>();
  app.addHook("onClose", async () => {
    await Promise.all(running);
  });
  return (reply, work) => {
    if (running.size >= MOST) throw tooMuchToDo(RETRY_AFTER_SECONDS);
    const isOver = new Promise<void>((resolve) => reply.raw.once("finish", resolve).once("close", resolve));
    const done: Promise<void> = isOver
      .then(work)
      .catch((error) => log.error({ err: error }, "work after an answer failed"))
      .finally(() => running.delete(done));
    running.add(done);
  };
}
