-- What the settlement role needs beside its tables. It writes them, and the watcher marks what the gas wallet sent.

-- A top-up stands among an address's own transactions: the gas wallet sent it, and `returned` is what it brought. `fee_units` is
-- what the chain took of the sender, in sun, and `is_booked` says that the ledger has it. What was read before is not booked: what
-- its fees took stands in no entry.
alter table own_transactions
  add column is_top_up boolean not null default false,
  add column fee_units bigint check (fee_units >= 0),
  add column is_booked boolean not null default false;
update own_transactions set is_booked = true;
create index own_transactions_unbooked on own_transactions (network, block_number, merchant_id) where not is_booked;

-- `top_up_units` is sent to the address before, in sun; `energy` and `fee_limit` (sun) are what the transfer may take.
alter table sweeps
  add column top_up_units bigint not null default 0 check (top_up_units >= 0),
  add column energy bigint not null default 0 check (energy >= 0),
  add column fee_limit bigint not null default 0 check (fee_limit >= 0);
create index sweeps_newest on sweeps (merchant_id, created_at desc, id desc);

-- What takes back a delegation that no sweep of ours explains is of no sweep. No row was written before.
alter table sweep_transactions
  alter column sweep_id drop not null,
  add column deposit_address_id uuid not null;
create index sweep_transactions_uncosted on sweep_transactions (merchant_id, id)
  where purpose in ('delegate', 'undelegate') and outcome = 'landed' and fee_units is null;
create index sweep_transactions_open on sweep_transactions (merchant_id, id) where outcome is null;

-- What is worth most, of all merchants.
create index address_contents_most on address_contents (currency, units desc) include (oldest_at) where units > 0;
create index settlements_newest on settlements (merchant_id, created_at desc, id desc);
create index settlements_open on settlements (merchant_id, id) where status = 'OPEN';

-- The owner's word to the settlement role: one row. `asked_at` asks for a plan now; what was confirmed up to `sweep_all_before` is
-- swept where it is worth more than its price.
create table settlement_control (
  one boolean primary key default true check (one),
  paused_at timestamptz,
  pause_reason text,
  asked_at timestamptz,
  sweep_all_before timestamptz,
  check ((paused_at is null) = (pause_reason is null))
);
insert into settlement_control default values;
