import { expect, test } from "vitest";
import { createKeyedSemaphore } from "../../../../shared/platform/concurrency/keyed-semaphore.ts";

test("so many of one name run at once, the others in order after them, and other names beside them", async () => {
  const inOrder = createKeyedSemaphore(2);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, label: string) =>
    inOrder(name, async () => {
      began.push(label);
      await new Promise<void>((resolve) => ends.set(label, resolve));
      return label;
    });
  const works = [begin("a", "a1"), begin("a", "a2"), begin("a", "a3"), begin("a", "a4"), begin("b", "b1")];
  expect(began).toEqual(["a1", "a2", "b1"]);
  for (const label of ["a2", "a1", "a3", "a4", "b1"]) {
    await expect.poll(() => ends.has(label)).toBe(true);
    ends.get(label)?.();
  }
  expect(await Promise.all(works)).toEqual(["a1", "a2", "a3", "a4", "b1"]);
  expect(began).toEqual(["a1", "a2", "b1", "a3", "a4"]);
});

test("what fails gives its turn on", async () => {
  const inOrder = createKeyedSemaphore(1);
  const failing = inOrder("a", async () => {
    throw new Error("broken");
  });
  const next = inOrder("a", async () => "done");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("done");
  expect(await inOrder("a", async () => "again")).toBe("again");
});
