import type { FastifyBaseLogger } from "fastify";
import type { LogFn } from "pino";

/**
 * The log of one request, which names it in every line. Most requests write none, so a child of the log,
 * whose members are searched for secrets, is made only with the first line.
 */
export function openRequestLogger(
  logger: FastifyBaseLogger,
  bindings: Record<string, unknown>,
): FastifyBaseLogger {
  let named: FastifyBaseLogger | null = null;
  const open = () => {
    named ??= logger.child(bindings);
    return named;
  };
  const write =
    (level: Level): LogFn =>
    (...line: Parameters<LogFn>) => {
      open()[level](...line);
    };
  return {
    level: logger.level,
    fatal: write("fatal"),
    error: write("error"),
    warn: write("warn"),
    info: write("info"),
    debug: write("debug"),
    trace: write("trace"),
    silent: () => undefined,
    child: (...more) => open().child(...more),
  };
}

type Level = "fatal" | "error" | "warn" | "info" | "debug" | "trace";
