/** What a process of the service tells the parent that started it, once it does its work. */
export interface ReadyMessage {
  type: "ready";
  /** Where the API answers. */
  url?: string;
}

/**
 * Tells the parent that this process is ready; does nothing without a parent that listens. No log line decides
 * this: which of them are written is a setting.
 */
export function announceReady(facts: Omit<ReadyMessage, "type"> = {}): void {
  // The parent may have died a moment ago; exitWithParent ends this process then.
  if (process.connected) process.send?.({ type: "ready", ...facts }, undefined, {}, () => undefined);
}

/** Whether a child's message says that it is ready. */
export function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === "object" && message !== null && "type" in message && message.type === "ready";
}
