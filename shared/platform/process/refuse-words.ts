import { ConfigError } from "../../ground/errors.ts";

/** Throws `ConfigError` where a command that takes no words got some: unread, they would pass for settings. */
export function refuseWords(command: string, words: readonly string[]): void {
  const [word] = words;
  if (word === undefined) return;
  throw new ConfigError(
    `${command} takes no words, and got ${word}. Its settings are variables, as in PORT=8080 ${command}; the README has their table.`,
  );
}
