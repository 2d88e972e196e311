import { expect, test } from "vitest";
import { presentMembers } from "../../../shared/ground/present-members.ts";

const row = { id: "01", at: 0, created_at: 1_000, ended_at: null, count: 3, secret: "kept" };

test("the named members alone are presented, in the order of their names, times as timestamps", () => {
  expect(JSON.stringify(presentMembers(row, "created_at", "id", "at", "ended_at", "count"))).toBe(
    '{"created_at":"1970-01-01T00:00:01Z","id":"01","at":"1970-01-01T00:00:00Z","ended_at":null,"count":3}',
  );
});
