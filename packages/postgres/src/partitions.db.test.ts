import { createEmptyDatabase, type TestDatabase } from "@daric/testing/database";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makePartitions } from "./partitions.ts";
import { sql } from "./sql.ts";

let test: TestDatabase;
beforeEach(async () => {
  test = await createEmptyDatabase();
  await test.owner.query(sql`create table parents (id integer primary key)`);
  await test.db.query(sql`insert into parents values (1)`);
  await test.owner.query(sql`
    create table notes (
      id integer not null references parents, at timestamptz not null, text text not null check (text <> ''),
      primary key (id, at)) partition by range (at)`);
  await test.owner.query(sql`create table notes_rest partition of notes default`);
});
afterEach(() => test.drop());

/** The number of rows in each partition. */
async function places(): Promise<Record<string, number>> {
  const rows = await test.db.query<{ place: string; rows: bigint }>(
    sql`select tableoid::regclass::text as place, count(*) as rows from notes group by 1`,
  );
  return Object.fromEntries(rows.map(({ place, rows }) => [place, Number(rows)]));
}

const write = (monthsAhead: number) =>
  test.db.query(sql`
    insert into notes values (1, date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
      + ${monthsAhead} * interval '1 month' + random() * interval '20 days', 'noted')`);

it("this month and twelve more get a partition, rows go there, and a second call creates none", async () => {
  expect(await makePartitions(test.ownerUrl)).toHaveLength(13);
  expect(await makePartitions(test.ownerUrl)).toEqual([]);
  for (let month = 0; month <= 13; month++) await write(month);
  const found = await places();
  expect(Object.keys(found)).toHaveLength(14);
  expect(found.notes_rest).toBe(1);
});

it("a late partition takes its rows out of the default one, with keys and checks", async () => {
  for (let count = 0; count < 5; count++) for (const month of [0, 3, 20]) await write(month);
  expect(await places()).toEqual({ notes_rest: 15 });
  await makePartitions(test.ownerUrl);
  expect((await places()).notes_rest).toBe(5);
  expect(Object.values(await places())).toEqual([5, 5, 5]);
  await expect(test.db.query(sql`insert into notes values (2, now(), 'x')`)).rejects.toThrow(/foreign key/);
  await expect(test.db.query(sql`insert into notes values (1, now(), '')`)).rejects.toThrow(/check/);
});

it("several machines at once create each partition once", async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => makePartitions(test.ownerUrl)));
  expect(made.flat()).toHaveLength(13);
  expect(new Set(made.flat()).size).toBe(13);
});

it("concurrent writers neither fail nor lose a row, also without a partition for their month", async () => {
  let isDone = false;
  let written = 0;
  const writer = async () => {
    while (!isDone) {
      await write(0);
      written += 1;
    }
  };
  const writers = [writer(), writer(), writer()];
  while (written < 20) await new Promise((resolve) => setTimeout(resolve, 5));
  await makePartitions(test.ownerUrl);
  isDone = true;
  await Promise.all(writers);
  const found = await places();
  expect(found.notes_rest).toBeUndefined();
  expect(Object.values(found)).toEqual([written]);
});
