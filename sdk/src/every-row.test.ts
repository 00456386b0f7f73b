import { expect, it } from "vitest";
import { everyRow } from "./every-row.ts";

type Row = { id: string; created_at: string };

const row = (n: number, at = n): Row => ({ id: `row-${n}`, created_at: new Date(at).toISOString() });

/** A list that changes between the reads of its pages. */
function listOf(rows: Row[], change: (rows: Row[], page: number) => Row[] = (same) => same) {
  const limit = 3;
  let current = rows;
  return async (page: number) => {
    current = change(current, page);
    const data = current.slice((page - 1) * limit, page * limit);
    return { data, meta: { page, limit, total: current.length } };
  };
}

async function read(readPage: Parameters<typeof everyRow<Row>>[0]): Promise<string[]> {
  const ids = [];
  for await (const { id } of everyRow(readPage)) ids.push(id);
  return ids;
}

const rows = [7, 6, 5, 4, 3, 2, 1].map((n) => row(n));
const ids = rows.map(({ id }) => id);

it("reads every page once, and no page after an incomplete one", async () => {
  const requested: number[] = [];
  const pages = listOf(rows);
  const found = await read((page) => {
    requested.push(page);
    return pages(page);
  });
  expect(found).toEqual(ids);
  expect(requested).toEqual([1, 2, 3]);
  expect(await read(listOf([]))).toEqual([]);
});

it("a row comes once, even if new ones push it onto the next page", async () => {
  const growing = listOf(rows, (current, page) =>
    page === 1 ? current : [row(100 * page), row(99 * page), ...current],
  );
  expect(await read(growing)).toEqual(ids);
});

it("a row comes once, even if more than a page of new ones comes before it", async () => {
  const storm = [20, 19, 18, 17].map((n) => row(n));
  const growing = listOf(rows, (current, page) => (page === 2 ? [...storm, ...current] : current));
  expect(await read(growing)).toEqual(ids);
});

it("rows of one time are distinguished by their ids", async () => {
  const sameTime = [5, 4, 3, 2, 1].map((n) => row(n, 1));
  const growing = listOf(sameTime, (current, page) => (page === 2 ? [row(9, 9), ...current] : current));
  expect(await read(growing)).toEqual(sameTime.map(({ id }) => id));
});

it("reads no further than requested", async () => {
  const requested: number[] = [];
  const pages = listOf(rows);
  const reader = everyRow((page) => {
    requested.push(page);
    return pages(page);
  });
  for await (const _ of reader) break;
  expect(requested).toEqual([1]);
});
