import { expect, it } from "vitest";
import { statementFaults } from "./statement-faults.ts";

const tables = {
  merchants: ["id", "name"],
  charges: ["merchant_id", "id", "status", "settlement_account_id"],
  deposits: ["merchant_id", "id", "charge_id", "address", "units"],
  history: ["merchant_id", "deposit_id", "id"],
  token_directory: ["token", "merchant_id", "charge_id"],
  open_deposits: ["network", "block_number", "merchant_id", "deposit_id"],
  blocks: ["id", "number"],
};
const faultsOf = (text: string) => statementFaults(text, tables);

it.each([
  ["a parameter", "select id from charges where merchant_id = $1 and id = $2"],
  ["a list", "select id from charges where merchant_id = any($1::uuid[]) and id = any($2)"],
  ["literal places of a list", "select id from charges where merchant_id in ($1, $2)"],
  [
    "every branch of an or",
    "select from charges where merchant_id = $1 and status = 'A' or (merchant_id = $1 and status = 'B')",
  ],
  [
    "a subquery inside an or",
    `select from charges c where c.merchant_id = $1 and (c.status = 'A'
       or c.id in (select charge_id from deposits d where d.merchant_id = c.merchant_id))`,
  ],
  ["a merchant by its own id", "update merchants set name = $2 where id = $1 returning name"],
  [
    "a join",
    `select d.id from charges c join deposits d on d.merchant_id = c.merchant_id and d.charge_id = c.id
     where c.merchant_id = $1`,
  ],
  [
    "the other side of a left join",
    "select from charges c left join deposits d on d.merchant_id = c.merchant_id where c.merchant_id = $1",
  ],
  ["using", "select from charges join deposits using (merchant_id) where charges.merchant_id = $1"],
  [
    "a lateral",
    `select from charges c
     left join lateral (select sum(units) from deposits d where d.merchant_id = c.merchant_id and d.charge_id = c.id) s on true
     where c.merchant_id = $1`,
  ],
  [
    "a subquery in a condition",
    `select from charges c where c.merchant_id = $1
     and not exists (select from deposits d where d.merchant_id = c.merchant_id and d.charge_id = c.id)`,
  ],
  [
    "rows of pairs",
    "select from deposits where (merchant_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))",
  ],
  [
    "a join with pairs",
    `update deposits d set units = 0 from unnest($1::uuid[], $2::uuid[]) as t (merchant_id, id)
     where d.merchant_id = t.merchant_id and d.id = t.id`,
  ],
  [
    "a join with a values list",
    "select from deposits d join (values ($1::uuid, $2), ($3, $4)) t (m, id) on (d.merchant_id, d.id) = (t.m, t.id)",
  ],
  [
    "the returned rows of a change",
    `with changed as (update deposits set units = 0 where merchant_id = $1 returning merchant_id as m, id)
     insert into history (merchant_id, deposit_id) select m, id from changed`,
  ],
  [
    "a union",
    `with touched as (select merchant_id from charges where merchant_id = $1
       union all select merchant_id from deposits where merchant_id = $1)
     insert into history (merchant_id) select merchant_id from touched`,
  ],
  [
    "a recursion",
    `with recursive walk as (
       (select merchant_id, id from deposits where merchant_id = $1 order by id limit 1)
       union all
       select next.merchant_id, next.id from walk join lateral (
         select d.merchant_id, d.id from deposits d where d.merchant_id = walk.merchant_id and d.id > walk.id limit 1) next on true)
     select from walk w join walk v on w.merchant_id = v.merchant_id`,
  ],
  ["nameless columns", "insert into history (merchant_id, id) select * from unnest($1::uuid[], $2::uuid[])"],
  [
    "delete using",
    "delete from deposits d using charges c where c.merchant_id = $1 and d.merchant_id = c.merchant_id",
  ],
  [
    "an upsert",
    "insert into charges (merchant_id, id) values ($1, $2) on conflict (merchant_id, id) do update set status = excluded.status",
  ],
  [
    "the merchant of a directory's row",
    `select from token_directory t join charges c on c.merchant_id = t.merchant_id and c.id = t.charge_id where t.token = $1`,
  ],
  ["a directory alone", "select merchant_id from open_deposits where network = $1 and block_number <= $2"],
  ["no merchant's table", "select number from blocks where id = $1"],
])("a statement is tied to merchants by %s", async (_, text) => {
  expect(await faultsOf(text)).toEqual([]);
});

it.each([
  ["by its id alone", "select from charges where id = $1", "the select of charges"],
  ["in an update", "update charges set status = 'X' where id = $1", "the update of charges"],
  ["in a delete", "delete from charges", "the delete of charges"],
  ["by a literal, not a parameter", "select from charges where merchant_id = 'x'", "the select of charges"],
  [
    "by one branch of an or",
    "select from charges where merchant_id = $1 or id = $2",
    "the select of charges",
  ],
  [
    "by an optional condition",
    "select from charges where $1::uuid is null or merchant_id = $1",
    "the select of charges",
  ],
  ["by any other comparison", "select from charges where merchant_id <> $1", "the select of charges"],
  [
    "in a join",
    "select from charges c join deposits d on d.charge_id = c.id where c.merchant_id = $1",
    "the select of deposits d",
  ],
  [
    "in a lateral",
    `select from charges c left join lateral (select from deposits d where d.charge_id = c.id) s on true
     where c.merchant_id = $1`,
    "the select of deposits d",
  ],
  [
    "in a subquery of a condition",
    "select from charges c where merchant_id = $1 and exists (select from deposits d where d.charge_id = c.id)",
    "the select of deposits d",
  ],
  [
    "in a subquery of the select list",
    "select (select count(*) from deposits d where d.charge_id = c.id) from charges c where merchant_id = $1",
    "the select of deposits d",
  ],
  [
    "in an update from",
    "update deposits d set units = 0 from charges c where c.merchant_id = $1 and c.id = d.charge_id",
    "the update of deposits d",
  ],
  [
    "in a delete using",
    "delete from deposits d using charges c where d.merchant_id = $1 and c.id = d.charge_id",
    "the select of charges c",
  ],
  [
    "in a CTE",
    "with old as (select id from charges where status = 'X') select from deposits where merchant_id = $1",
    "the select of charges",
  ],
  [
    "around a subquery",
    "select from charges c where exists (select from deposits d where d.merchant_id = $1 and d.merchant_id = c.merchant_id)",
    "the select of charges c",
  ],
  [
    "on the kept side of an outer join",
    "select from charges c left join deposits d on d.merchant_id = $1 and c.merchant_id = d.merchant_id",
    "the select of charges c",
  ],
  [
    "in a step of a recursion",
    `with recursive walk as (select merchant_id from deposits where merchant_id = $1 union all
       select d.merchant_id from deposits d join walk on d.merchant_id > walk.merchant_id) select from walk`,
    "the select of deposits d",
  ],
  [
    "in one branch of a union",
    `with t as (select merchant_id from charges where merchant_id = $1 union all select id from blocks)
     select from deposits d join t on t.merchant_id = d.merchant_id`,
    "the select of deposits d",
  ],
  [
    "by a directory of work",
    "select from open_deposits o join deposits d on d.merchant_id = o.merchant_id where o.network = $1",
    "the select of deposits d",
  ],
])("a table without a tie to a merchant is found: %s", async (_, text, fault) => {
  expect(await faultsOf(text)).toEqual([`${fault} is tied to no merchant`]);
});

it("a column compared with itself is no condition, in any notation", async () => {
  const itself = "compares a column of charges with itself";
  const untied = "the select of charges is tied to no merchant";
  for (const condition of ["merchant_id = merchant_id", "charges.merchant_id = merchant_id"]) {
    expect(await faultsOf(`select from charges where ${condition}`)).toEqual([itself, untied]);
  }
  const twice = "select from charges where merchant_id = $1 and merchant_id = charges.merchant_id";
  expect(await faultsOf(twice)).toEqual([itself]);
});

it("two tables that are only tied to each other have no merchant", async () => {
  const text = "select from charges c join deposits d on d.merchant_id = c.merchant_id";
  expect(await faultsOf(text)).toHaveLength(2);
});

it("an insert names the merchant of its rows, and a conflict too", async () => {
  expect(await faultsOf("insert into charges (id) values ($1)")).toEqual([
    "an insert into charges names no merchant_id",
  ]);
  expect(await faultsOf("insert into charges values ($1, $2)")).toHaveLength(1);
  const foreign = "an insert into charges is of an unnamed merchant";
  expect(await faultsOf("insert into charges (merchant_id) values (gen_random_uuid())")).toEqual([foreign]);
  expect(await faultsOf("insert into charges (merchant_id) values ($1), ('x')")).toEqual([foreign]);
  expect(
    await faultsOf("insert into charges (merchant_id, id) values ($1, $2) on conflict (id) do nothing"),
  ).toEqual(["on conflict of charges names no merchant_id"]);
});

it("a text that is no statement is refused", async () => {
  await expect(faultsOf("selct 1")).rejects.toThrow("syntax error");
  expect(await faultsOf("truncate charges")).toEqual([expect.stringContaining("TruncateStmt")]);
  expect(await faultsOf("show statement_timeout")).toEqual([]);
});

it("a merchant's table has no other name", async () => {
  const parts = "select from charges_of_may where merchant_id = $1";
  expect(await faultsOf(parts)).toContain("charges_of_may is no table of the service");
  expect(await faultsOf("select from pg_stat_activity")).toEqual([]);
});
