import { expect, it } from "vitest";
import { everyRow } from "./every-row.ts";

type Row = { id: string };
type ReadPage = Parameters<typeof everyRow<Row>>[0];

const LIMIT = 3;
const rows: Row[] = [7, 6, 5, 4, 3, 2, 1].map((n) => ({ id: `row-${n}` }));
const ids = rows.map(({ id }) => id);

/** A list that `change` alters before each read; it records the `after` of each page. */
function listOf(first: Row[], change: (rows: Row[], after: string | undefined) => Row[] = (same) => same) {
  const requested: (string | undefined)[] = [];
  let current = first;
  const readPage: ReadPage = async ({ after }) => {
    requested.push(after);
    current = change(current, after);
    const begin = current.findIndex(({ id }) => id === after) + 1;
    const data = current.slice(begin, begin + LIMIT);
    return { data, meta: { page: 1, limit: LIMIT, total: current.length } };
  };
  return { readPage, requested };
}

async function read(readPage: ReadPage): Promise<string[]> {
  const found = [];
  for await (const { id } of everyRow(readPage)) found.push(id);
  return found;
}

it("each page begins after the last row of the previous one, and the list ends with an incomplete page", async () => {
  const { readPage, requested } = listOf(rows);
  expect(await read(readPage)).toEqual(ids);
  expect(requested).toEqual([undefined, "row-5", "row-2"]);
  expect(await read(listOf([]).readPage)).toEqual([]);
  expect(await read(listOf(rows.slice(0, LIMIT)).readPage)).toEqual(ids.slice(0, LIMIT));
});

it("a row comes once, even if many new ones come before it", async () => {
  const growing = listOf(rows, (current, after) =>
    after === undefined ? current : [...[1, 2, 3, 4].map((n) => ({ id: `${after}-new-${n}` })), ...current],
  );
  expect(await read(growing.readPage)).toEqual(ids);
});

it("no other row is missed where rows leave the list meanwhile", async () => {
  const shrinking = listOf(rows, (current, after) => (after === "row-5" ? current.slice(2) : current));
  expect(await read(shrinking.readPage)).toEqual(ids);
});

it("reads no further than requested", async () => {
  const { readPage, requested } = listOf(rows);
  for await (const _ of everyRow(readPage)) break;
  expect(requested).toEqual([undefined]);
});
