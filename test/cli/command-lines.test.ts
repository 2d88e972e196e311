import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { openProgram, runCommand } from "../../cli/command-line/program.ts";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { withClient } from "../../cli/embedded/database.ts";
import { createTestDatabase } from "../support/cluster.ts";
import { runEntry } from "../support/command.ts";
import { NOBODY } from "../support/command-line.ts";
import { prepareDataFolder } from "../support/data-folder.ts";
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
    [["code", "issue"], "The option --owner <EMAIL|ID> is needed."],
    [["owner", "create", "--email"], "The option --email <E> needs a value."],
    [["agent", "pause", "--agent", NOBODY, "--reason"], "The option --reason <TEXT> needs a value."],
    [["owner", "show-alias", "--owner", NOBODY], "The word on|off is missing at the end."],
    [["agent", "previews", "--agent", NOBODY], "The word on|off is missing at the end."],
    [
      ["owner", "create", "--email", "a@example.org", "--email", "b@example.org"],
      "The option --email stands twice",
    ],
    [
      ["owner", "create", "--email=a@example.org", "--email=a@example.org"],
      "The option --email stands twice",
    ],
    [["files", "gc", "--delete", "--delete"], "The option --delete stands twice"],
    [["jobs", "status", "now"], "There are words too many on this line."],
  ] as const)("%j is refused with the mend", async ([args, start]) => {
    const refusal = await runCommand(args).then(
      () => null,
      (error) => error,
    );
    expect(refusal.code).toBe("validation_failed");
    expect(refusal.message.slice(0, start.length)).toBe(start);
  });

  test("an option that collects its values may stand several times", async () => {
    const args = [
      "owner",
      "limits",
      "--owner",
      NOBODY,
      "--set",
      "agentsPerOwner=3",
      "--set",
      "exportsPerDay=1",
    ];
    const refusal = (await runHere(args, AWAY)).refusal();
    expect(refusal.message).toBe("The database does not answer: check DATABASE_URL.");
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

const ignore = [async () => undefined, () => undefined] as const;
const PROGRAM = await openProgram(...ignore);

describe("help", () => {
  /** Every command that does something, with the words that lead to it. */
  function listCommands(of: Command, words: readonly string[] = []): [string, Command][] {
    if (of.commands.length === 0) return [[words.join(" "), of]];
    return of.commands.flatMap((one) => listCommands(one, [...words, one.name()]));
  }
  const commands = listCommands(PROGRAM);

  test("of a first word is the same when its commands are loaded alone", async () => {
    const helpOf = (program: Command, word: string) =>
      listCommands(program)
        .filter(([name]) => name.split(" ")[0] === word)
        .map(([name, command]) => [name, command.helpInformation()]);
    for (const whole of PROGRAM.commands) {
      const alone = await openProgram(...ignore, whole.name());
      expect(helpOf(alone, whole.name()), whole.name()).toEqual(helpOf(PROGRAM, whole.name()));
      const found = alone.commands.find((one) => one.name() === whole.name());
      expect(found?.helpInformation()).toBe(whole.helpInformation());
    }
  });

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
    const taking = commands.filter(([, command]) =>
      command.options.some(({ flags }) => flags === "--reason <TEXT>"),
    );
    expect(taking.map(([name]) => name)).toEqual([
      ...["pause", "resume", "suspend", "unsuspend", "archive", "hide", "unhide", "erase"].map(
        (one) => `agent ${one}`,
      ),
      ...["unpublish", "hide", "unhide", "erase"].map((one) => `creation ${one}`),
      ...["owner suspend", "owner unsuspend", "owner erase"],
      "revision remove-content",
      "site block",
    ]);
  });
});

describe("a place without a service", { timeout: 240_000 }, () => {
  const COMMANDS = [
    ["jobs", "status"],
    ["owner", "create", "--email", "nora@example.org"],
    ["backup", "create", "--to", "/nowhere"],
    ["sweep"],
  ];

  test("is refused by its folder, and nothing is made in it", async () => {
    const folder = await makeTemporaryDataFolder("broadsheet-test-");
    const mistyped = join(folder, "dat");
    try {
      for (const args of COMMANDS) {
        const { code, message } = (await runHere(args, { DATA_DIR: folder })).refusal();
        expect([args, code]).toEqual([args, "validation_failed"]);
        expect(message).toContain(`DATA_DIR names ${folder}, which holds no database. Set DATA_DIR to`);
      }
      const typed = (await runEntry("main.ts", ["jobs", "status"], { DATA_DIR: mistyped })).refusal();
      expect(typed.message).toContain(`DATA_DIR names ${mistyped}, which is no folder. Set DATA_DIR to`);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test("is refused by the name of its database, which stays empty", async () => {
    const { url } = await createTestDatabase();
    await withClient(url, (client) =>
      client.query("DROP SCHEMA public, pgboss CASCADE; CREATE SCHEMA public"),
    );
    const { message } = (await runHere(["jobs", "status"], { DATABASE_URL: url })).refusal();
    expect(message).toContain(`The database ${new URL(url).pathname.slice(1)} of DATABASE_URL holds no`);
    expect(message).not.toContain(new URL(url).password);
    const count = "SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname IN ('public', 'pgboss')";
    expect(await withClient(url, async (client) => (await client.query(count)).rows)).toEqual([
      { tables: 0 },
    ]);
  });
});

test("with a data folder alone a command starts PostgreSQL for its own time; the next one finds what it wrote", {
  timeout: 240_000,
}, async () => {
  const folder = await prepareDataFolder();
  const env = { DATA_DIR: folder.path };
  try {
    const applied = (await runEntry("migrate.ts", [], env)).json().applied;
    expect(applied).toEqual(expect.arrayContaining(["0100_baseline.sql"]));
    const args = ["owner", "create", "--email", "nora@example.org"];
    const both = await Promise.all([runEntry("main.ts", args, env), runEntry("main.ts", args, env)]);
    expect(both.map((result) => result.code).toSorted()).toEqual([0, 1]);
    expect(await findOrphans(folder.path, [])).toEqual([]);
  } finally {
    await folder.remove();
  }
});
