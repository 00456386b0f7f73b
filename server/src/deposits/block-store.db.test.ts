import { createTestContext, type TestContext } from "@daric/testing/context";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  type Cursor,
  CursorMovedError,
  findCursor,
  insertCursor,
  moveCursor,
  raiseSolid,
} from "./block-store.ts";

const time = new Date("2026-01-01T00:00:00Z");
const at = (number: number, mark: string) => ({ number, blockId: mark.repeat(64), time });
const cursor: Cursor = { ...at(10, "a"), solidNumber: 5 };
let context: TestContext & { close(): Promise<void> };

beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());
let network = "";
beforeEach(async () => {
  network += "n";
  await context.db.transaction((tx) => insertCursor(tx, { network, cursor, epoch: 1n }));
});

const move = (from: Cursor) =>
  context.db.transaction((tx) => moveCursor(tx, { network, from, to: at(11, "b"), epoch: 1n }));
const raise = (number: number) =>
  context.db.transaction((tx) => raiseSolid(tx, { network, solid: at(number, "c") }));

it.each([
  ["another block of its height", { ...cursor, ...at(10, "f") }],
  ["another height", { ...cursor, number: 9 }],
])("the cursor is not moved from %s", async (_, from) => {
  await expect(move(from)).rejects.toThrow(CursorMovedError);
  expect(await findCursor(context.db, network)).toEqual(cursor);
});

it("the cursor is moved from the block it stands on", async () => {
  await move(cursor);
  expect(await findCursor(context.db, network)).toEqual({ ...at(11, "b"), solidNumber: 5 });
});

it("the solid height grows and never falls", async () => {
  await raise(8);
  await raise(6);
  expect((await findCursor(context.db, network))?.solidNumber).toBe(8);
});
