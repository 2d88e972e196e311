import { rm } from "node:fs/promises";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { openProgram, runCommand } from "../../cli/commands/program.ts";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { runEntry } from "../support/command.ts";
import { NOBODY } from "../support/command-line.ts";
import { runHere } from "../support/run-here.ts";
import { findOrphans } from "../support/service-process.ts";

const AWAY = { DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" };

describe("a line that cannot be read", () => {
  test.for([
    [[], "Name a command"],
    [["owner"], "Name a command"],
    [["fly"], "There is no command fly."],
    [["owner", "creat"], "There is no command creat. Did you mean create?"],
    [["jobs", "status", "--emial", "x"], "There is no option --emial here."],
    [["code", "issue"], "The option --owner <ID> is needed."],
    [["owner", "create", "--email"], "The option --email <E> needs a value."],
    [["agent", "pause", "--agent", NOBODY, "--reason"], "The option --reason <TEXT> needs a value."],
    [["owner", "show-alias", "--owner", NOBODY], "The word on|off is missing at the end."],
    [["jobs", "status", "now"], "There are words too many on this line."],
  ] as const)("%j is refused with the mend", async ([args, start]) => {
    const refusal = await runCommand(args).then(
      () => null,
      (error) => error,
    );
    expect(refusal.code).toBe("validation_failed");
    expect(refusal.message.slice(0, start.length)).toBe(start);
  });

  test("ends the process with 1, its refusal on standard error and nothing else", async () => {
    const refusal = (await runEntry("main.ts", ["fly"], AWAY)).refusal();
    expect(refusal).toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(/^There is no/),
    });
  });

  test("names a variable that is wrong, and a database that does not answer", async () => {
    const wrong = await runHere(["jobs", "status"], { PORT: "none", ...AWAY });
    expect(wrong.refusal()).toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(/^PORT /),
    });
    const away = await runHere(["jobs", "status"], AWAY);
    const message = "The database does not answer: check DATABASE_URL.";
    expect(away.refusal()).toEqual({ code: "server_error", message });
  });
});

describe("help", () => {
  /** Every command that does something, with the words that lead to it. */
  function listCommands(of: Command, words: readonly string[] = []): [string, Command][] {
    if (of.commands.length === 0) return [[words.join(" "), of]];
    return of.commands.flatMap((one) => listCommands(one, [...words, one.name()]));
  }
  const program = openProgram(
    async () => undefined,
    () => undefined,
  );
  const commands = listCommands(program);

  test("is printed, and the exit code is 0", async () => {
    const help = await runEntry("main.ts", ["agent", "pause", "--help"], AWAY);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain("--reason <TEXT>");
  });

  test("tells of every command and of every option what it is for", () => {
    const files = ["backup create", "backup restore", "doctor", "files gc", "files verify"];
    const others = ["jobs retry", "jobs status", "moderator grant", "moderator revoke", "sweep"];
    const topics = ["topic add", "topic disable", "topic enable"];
    expect(commands.map(([name]) => name)).toEqual(expect.arrayContaining([...files, ...others, ...topics]));
    expect(commands.length).toBeGreaterThan(30);
    for (const [name, command] of commands) {
      // Long lines are folded.
      expect(command.helpInformation().replace(/\s+/g, " "), name).toContain(command.description());
      expect([name, command.description() === ""]).toEqual([name, false]);
      for (const option of command.options)
        expect([name, option.flags, option.description]).not.toContain("");
    }
  });

  test("every command that closes something to somebody, or opens it, takes a reason", () => {
    const taking = commands.filter(([, command]) => command.options.some(({ long }) => long === "--reason"));
    expect(taking.map(([name]) => name)).toEqual([
      ...["owner suspend", "owner unsuspend"],
      ...["pause", "resume", "suspend", "unsuspend", "archive", "hide", "unhide"].map(
        (one) => `agent ${one}`,
      ),
      ...["unpublish", "hide", "unhide"].map((one) => `creation ${one}`),
      "revision remove-content",
    ]);
  });
});

describe("with a data folder alone", { timeout: 60_000 }, () => {
  test("a command starts PostgreSQL for its own time; the next one finds what it wrote", async () => {
    const folder = await makeTemporaryDataFolder("broadsheet-test-");
    const env = { DATA_DIR: folder };
    try {
      const applied = (await runEntry("migrate.ts", [], env)).json().applied;
      expect(applied).toEqual(expect.arrayContaining(["0001_owners.sql"]));
      expect((await runEntry("migrate.ts", [], env)).json()).toEqual({ applied: [] });
      const args = ["owner", "create", "--email", "nora@example.org"];
      const both = await Promise.all([runEntry("main.ts", args, env), runEntry("main.ts", args, env)]);
      expect(both.map((result) => result.code).toSorted()).toEqual([0, 1]);
      expect(await findOrphans(folder, [])).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
