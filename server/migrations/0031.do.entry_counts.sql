-- How many lines a total is the sum of: the number of entries of a month is read from it. Writers wait until this is committed. Stop
-- processes of the version before: they would book lines without counting them.
lock table ledger_entries, ledger_totals in share row exclusive mode;
alter table ledger_totals add column lines bigint not null default 0 check (lines >= 0);
update ledger_totals total set lines = counted.lines
from (
  select merchant_id, date_trunc('month', booked_at at time zone 'UTC')::date as month, currency, kind, debit, credit, count(*) as lines
  from ledger_entries group by 1, 2, 3, 4, 5, 6
) counted
where (total.merchant_id, total.month, total.currency, total.kind, total.debit, total.credit)
  = (counted.merchant_id, counted.month, counted.currency, counted.kind, counted.debit, counted.credit);
alter table ledger_totals alter column lines drop default;
