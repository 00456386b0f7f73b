import { describe, expect, it } from "vitest";
import { distributionFaults } from "./distribution-faults.ts";

describe("the fault of a statement that a distributed database refuses is named", () => {
  it.each([
    [
      "a recursive query",
      "with recursive walk as (select block_number from open_deposits union all select 1 from walk) select * from walk",
      "a recursive query",
    ],
    [
      "a lock beside a join in a CTE",
      `with held as (
        select queue.endpoint_id from endpoint_queue queue join due on due.endpoint_id = queue.endpoint_id
        where queue.merchant_id = $1 for key share of queue) select * from held`,
      "a CTE locks rows of one relation beside another",
    ],
    [
      "a lock beside a list of another CTE",
      `with held as (
        select id from webhook_deliveries where merchant_id = $1 and id in (select id from candidate) for update)
      select * from held`,
      "a CTE locks rows of one relation beside another",
    ],
    [
      "a lock beside a list of parameters",
      `with held as (
        select id from deposit_addresses where merchant_id = any($1) and (merchant_id, id) in (select * from unnest($1, $2))
        for update) select * from held`,
      "a CTE locks rows of one relation beside another",
    ],
    [
      "a page for each item of a list",
      `select page.* from unnest($1::text[]) as start (status) cross join lateral (
        select merchant_id from open_deposits where open_deposits.status = start.status limit 10) page`,
      "each item of a list has a page",
    ],
    [
      "a lock without a merchant",
      "select id from webhook_endpoints where url = $1 for update",
      "rows are locked without a merchant",
    ],
    [
      "a time within a case",
      "update webhook_endpoints set resumed_at = case when $1 then now() else resumed_at end where merchant_id = $2",
      "an update chooses between a time and another value",
    ],
    [
      "a time within a coalesce",
      "update deposit_addresses set paid_at = coalesce(paid_at, now()) where merchant_id = $1",
      "an update chooses between a time and another value",
    ],
    [
      "a case of one value",
      "insert into deposits (merchant_id, dust) select merchant_id, case currency when 'TRX' then true end from seen",
      "a case compares one value with several",
    ],
    [
      "a column moved by an interval",
      "update deposit_addresses set expires_at = expires_at + $1 * interval '1 second' where merchant_id = $2",
      "an update moves a time by an interval",
    ],
    [
      "a shortened column",
      "update webhook_endpoints set url = $1 where merchant_id = $2 and date_trunc('milliseconds', updated_at) = $3",
      "an update compares a shortened time",
    ],
    [
      "a time of do update",
      "insert into blocks (id) values ($1) on conflict (id) do update set scanned_at = now()",
      "do update sets a time",
    ],
    [
      "an exists without a column in the select list",
      "select exists (select from open_deposits where network = $1) as found",
      "an exists in the select list selects no column",
    ],
    [
      "selected rows that are inserted and returned",
      "with made as (insert into webhook_deliveries (id) select id from webhook_events returning *) select 1 from made",
      "give the table an alias",
    ],
    [
      "an insert behind a CTE that writes",
      `with changed as (update deposits set dust = true where merchant_id = $1 returning *)
       insert into charge_sums (merchant_id, confirmed) select merchant_id, units from changed`,
      "an insert stands behind a CTE that writes",
    ],
    [
      "a decision about each row, by rows of merchants",
      `select task from refunds refund cross join lateral (select case when exists (
        select 1 from payment_notes note where note.merchant_id = refund.merchant_id) then 'pay' end as task) wanted
       where refund.merchant_id = $1`,
      "a lateral query without FROM",
    ],
    [
      "a table of the coordinator in a subquery about each row",
      `select c.units from address_contents c
       where c.units >= (select least.units from signing_requests least where least.merchant_id = c.merchant_id limit 1)`,
      "a subquery about each row reads a table of the coordinator",
    ],
    [
      "a table of the coordinator in a column of each row",
      `select coalesce((select max(given.block_time) from refund_transfers given
         where given.merchant_id = $1 and given.refund_id = refund.id), refund.completed_at) as at
       from refunds refund where refund.merchant_id = $1`,
      "a column reads a table of the coordinator",
    ],
    [
      "rows of a directory that a merchant's row chooses twice",
      `select account.id from settlement_accounts account where account.address in (
        select address from signer_destinations listed where listed.counter >= (
          select max(newest.counter) from signer_destinations newest where newest.merchant_id = account.merchant_id::text))`,
      "rows of a directory are chosen by a subquery about a merchant's row",
    ],
    [
      "rows of a directory that are chosen without a merchant",
      `select d.charge_id from token_directory d
       where not exists (select from sweeps s where s.merchant_id = d.merchant_id and s.deposit_address_id = d.charge_id)`,
      "rows of a directory are chosen by rows of merchants",
    ],
  ])("%s", async (_shape, text, fault) => {
    expect(await distributionFaults(text)).toEqual([expect.stringContaining(fault)]);
  });
});

it.each([
  `with held as (
    select held.* from (
      select queue.endpoint_id from endpoint_queue queue join due on due.endpoint_id = queue.endpoint_id
      where queue.merchant_id = $1 for key share of queue) held) select * from held`,
  "update deposit_addresses set paid_at = coalesce(paid_at, clock.now) from (select now() as now) clock where merchant_id = $1",
  "update deposit_addresses set expires_at = (expires_at at time zone 'UTC' + $1 * interval '1 second') at time zone 'UTC' where merchant_id = $2",
  "insert into blocks (id) values ($1) on conflict (id) do update set scanned_at = excluded.scanned_at",
  `with changed as (update deposits set dust = true where merchant_id = $1 returning *), summed as (
    insert into charge_sums (merchant_id, confirmed) select merchant_id, units from changed) select count(*) from changed`,
  `select task from refunds refund cross join lateral (select case when exists (
    select 1 from payment_notes note where note.merchant_id = $1) then 'pay' end as task) wanted where refund.merchant_id = $1`,
  `select first.due from endpoint_queue queue cross join lateral (select (
    select min(next_attempt_at) from webhook_deliveries where true and merchant_id = queue.merchant_id) as due) first
   where queue.merchant_id = any($1::uuid[])`,
  "update rescans set finished_at = case when $1 then now() end where id = $2",
  "select 1 from outflows o where o.merchant_id = $1 and o.address in (select s.address from signing_requests s)",
  "select 1 from deposits d where d.merchant_id = $1 and exists (select from blocks where id = d.block_id)",
  "select d.id from unnest($1::uuid[]) as one (id) join deposits d on true and d.merchant_id = one.id for update of d",
  "select id from deposit_addresses charge where (merchant_id, id) in (select * from unnest($1, $2)) for update",
  `with recursive walk as (select $1::uuid as id union all select older.id from walk cross join lateral (
    select id from deposits where merchant_id = $2 and id < walk.id order by id desc limit 1) older) select id from walk`,
])("a statement that a distributed database runs has no fault: %s", async (text) => {
  expect(await distributionFaults(text)).toEqual([]);
});
