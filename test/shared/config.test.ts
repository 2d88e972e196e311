import { expect, test } from "vitest";
import { loadConfig } from "../../shared/config.ts";

test("sign-up is closed unless the environment says who may", () => {
  expect(loadConfig({}).signUp).toBe("closed");
  expect(loadConfig({ SIGN_UP: "" }).signUp).toBe("closed");
  for (const signUp of ["closed", "invite", "open"])
    expect(loadConfig({ SIGN_UP: signUp }).signUp).toBe(signUp);
});

test.each([
  ["SIGN_UP", "opens", "SIGN_UP cannot be used: one of closed, invite, open. Did you mean open?"],
  ["SIGN_UP", "Invited", "SIGN_UP cannot be used: one of closed, invite, open. Did you mean invite?"],
  ["SIGN_UP", "everybody", "SIGN_UP cannot be used: one of closed, invite, open."],
  [
    "LOG_LEVEL",
    "infos",
    "LOG_LEVEL cannot be used: one of fatal, error, warn, info, debug, trace, silent. Did you mean info?",
  ],
  ["PORT", "x", "PORT cannot be used: a port number from 0 to 65535."],
])("%s=%s is refused with the nearest word", (name, value, message) => {
  expect(() => loadConfig({ [name]: value })).toThrow(message);
});
