-- The ledger of each merchant, and the tables of settlement. Stop processes of the version before: they would confirm deposits
-- without booking them. Writers of deposits and outflows wait until this is committed.
lock table deposits, outflows in share row exclusive mode;
set local work_mem = '128MB';

-- Each row moves one amount, in minor units, from the credited account to the debited one, so that all accounts together are
-- always zero. A transaction is one or more lines. Its id is the id of its deposit, or derives from its cause, so that nothing is
-- booked twice. Every line is about one deposit address. Rows are never changed and never deleted. `sweep_id` and `tx_id` name the
-- sweep and the chain's transaction; `tx_id` is null for a deposit, whose row has it.
create table ledger_entries (
  merchant_id uuid not null,
  deposit_address_id uuid not null,
  transaction_id uuid not null,
  line smallint not null check (line >= 0),
  kind text not null,
  debit text not null,
  credit text not null,
  currency text not null check (currency in ('USDT', 'TRX')),
  units bigint not null check (units > 0),
  sweep_id uuid,
  tx_id text check (tx_id ~ '^[0-9a-f]{64}$'),
  booked_at timestamptz not null default now()
);

-- Every confirmed deposit, with its fee by the terms of its charge. The first deposits of an order bear the fixed part:
-- each bears the rest of it, and no more than it has beside its share.
with confirmed as (
  select d.merchant_id, d.deposit_address_id, d.id, d.currency, d.units, d.unmatched, d.confirmed_at, charge.kind,
    charge.fee_fixed_units as fixed, fee.share,
    case when d.unmatched then 0 else d.units - fee.share end as room,
    sum(case when d.unmatched then 0 else d.units - fee.share end) over (
      partition by d.merchant_id, d.deposit_address_id order by d.confirmed_at, d.block_number, d.id
      rows between unbounded preceding and current row) as room_up_to
  from deposits d
  join deposit_addresses charge on charge.merchant_id = d.merchant_id and charge.id = d.deposit_address_id
  cross join lateral (
    select case when d.unmatched then 0 else div(d.units::numeric * charge.fee_basis_points, 10000) end as share
  ) fee
  where d.status = 'CONFIRMED'
)
insert into ledger_entries
  (merchant_id, deposit_address_id, transaction_id, line, kind, debit, credit, currency, units, booked_at)
select c.merchant_id, c.deposit_address_id, c.id, entry.line, entry.kind, entry.debit, entry.credit, c.currency, entry.units,
  c.confirmed_at
from confirmed c
cross join lateral (values
  (0, case when c.unmatched then 'unmatched' else 'deposit' end, 'on_addresses', 'merchant', c.units::numeric),
  (1, 'fee', 'merchant', 'operator_fees', c.share),
  (2, 'fixed_fee', 'merchant', 'operator_fees',
    case when c.kind = 'order' then least(c.fixed, c.room_up_to) - least(c.fixed, c.room_up_to - c.room)
      else least(c.fixed, c.room) end)
) as entry (line, kind, debit, credit, units)
where entry.units > 0
order by c.merchant_id, c.deposit_address_id;

-- Outflows of solid blocks were collected by hand: they count as paid to the merchant. Their ids are those that the service derives.
create function daric_derived_id(variadic parts text[]) returns uuid language sql immutable as $$
  select encode(set_byte(set_byte(hash, 6, get_byte(hash, 6) & 15 | 128), 8, get_byte(hash, 8) & 63 | 128), 'hex')::uuid
  from (
    select substr(sha256(string_agg(
      convert_to(octet_length(part)::text || ':', 'UTF8') || convert_to(part, 'UTF8'), ''::bytea order by place)), 1, 16) as hash
    from unnest(parts) with ordinality as part (part, place)
  ) digest
$$;
insert into ledger_entries
  (merchant_id, deposit_address_id, transaction_id, line, kind, debit, credit, currency, units, tx_id, booked_at)
select o.merchant_id, o.deposit_address_id,
  daric_derived_id('outflow', o.network, o.tx_id, o.source, o.event_index::text, o.address), 0, 'outflow', 'merchant', 'on_addresses',
  o.currency, o.units, o.tx_id, b.time
from outflows o
join blocks b on b.id = o.block_id and b.network = o.network and b.orphaned_at is null
join scan_cursors cursor on cursor.network = b.network and b.number <= cursor.solid_number;
drop function daric_derived_id;

-- Outflows that the ledger does not have yet, as a line of its own or as a sweep's: the directory that finds them by block, of all
-- merchants. Written by the statement that writes the outflow.
create table open_outflows (
  network text not null,
  block_number bigint not null,
  block_id text not null,
  merchant_id uuid not null,
  tx_id text not null,
  source text not null,
  event_index integer not null,
  address text not null,
  primary key (merchant_id, network, tx_id, source, event_index, address)
);
insert into open_outflows (network, block_number, block_id, merchant_id, tx_id, source, event_index, address)
select o.network, o.block_number, o.block_id, o.merchant_id, o.tx_id, o.source, o.event_index, o.address
from outflows o
where not exists (
  select from blocks b join scan_cursors cursor on cursor.network = b.network and b.number <= cursor.solid_number
  where b.id = o.block_id and b.network = o.network and b.orphaned_at is null
);
create index open_outflows_by_block on open_outflows (network, block_number);

alter table ledger_entries
  add primary key (merchant_id, deposit_address_id, transaction_id, line),
  add constraint ledger_entries_accounts check ((kind, debit, credit) in (
    ('deposit', 'on_addresses', 'merchant'),
    ('unmatched', 'on_addresses', 'merchant'),
    ('fee', 'merchant', 'operator_fees'),
    ('fixed_fee', 'merchant', 'operator_fees'),
    ('sweep_sent', 'in_flight', 'on_addresses'),
    ('sweep_landed', 'merchant', 'in_flight'),
    ('sweep_landed', 'operator_fees', 'in_flight'),
    ('sweep_returned', 'on_addresses', 'in_flight'),
    ('top_up', 'on_addresses', 'gas'),
    ('activation', 'network_cost', 'gas'),
    ('gas_burn', 'network_cost', 'on_addresses'),
    ('deposit_burn', 'network_cost', 'on_addresses'),
    ('excess', 'on_addresses', 'suspense'),
    ('outflow', 'merchant', 'on_addresses'),
    ('outflow', 'operator_fees', 'on_addresses'),
    ('outflow', 'suspense', 'on_addresses')));
-- For a merchant's statement; and for the fixed fee that an order has borne.
create index ledger_entries_of_statement on ledger_entries (merchant_id, booked_at, transaction_id, line)
  where 'merchant' in (debit, credit);
create index ledger_entries_fixed_fee on ledger_entries (merchant_id, deposit_address_id) where kind = 'fixed_fee';

-- The sums of the lines of a month (of `booked_at`, in UTC), by kind and accounts: written by the statement that books them.
-- Every balance is a sum of a few of these rows.
create table ledger_totals (
  merchant_id uuid not null,
  month date not null check (extract(day from month) = 1),
  currency text not null,
  kind text not null,
  debit text not null,
  credit text not null,
  units numeric not null,
  primary key (merchant_id, month, currency, kind, debit, credit)
) with (fillfactor = 50);
insert into ledger_totals (merchant_id, month, currency, kind, debit, credit, units)
select merchant_id, date_trunc('month', booked_at at time zone 'UTC')::date, currency, kind, debit, credit, sum(units)
from ledger_entries group by 1, 2, 3, 4, 5, 6;

-- The content of a deposit address by the ledger, in minor units: written by the statement that books it. `units` is confirmed and
-- not swept, `gas_units` is left of top-ups, `suspense_units` has no explanation. `oldest_at` is the time since which `units` is
-- above zero. An address without a row holds nothing.
create table address_contents (
  merchant_id uuid not null,
  deposit_address_id uuid not null,
  currency text not null,
  units numeric not null default 0,
  gas_units numeric not null default 0,
  suspense_units numeric not null default 0,
  oldest_at timestamptz
);
insert into address_contents (merchant_id, deposit_address_id, currency, units, oldest_at)
select merchant_id, deposit_address_id, currency, units, case when units > 0 then oldest_at end
from (
  select merchant_id, deposit_address_id, currency, min(booked_at) filter (where debit = 'on_addresses') as oldest_at,
    sum(case when debit = 'on_addresses' then units else -units end) as units
  from ledger_entries where 'on_addresses' in (debit, credit)
  group by 1, 2, 3
) contents;
alter table address_contents add primary key (merchant_id, deposit_address_id, currency);
-- For the planner: the largest contents first, with their age.
create index address_contents_to_sweep on address_contents (merchant_id, currency, units desc, deposit_address_id)
  include (oldest_at) where units > 0;

-- The sweeps of one plan for a merchant, a currency and a settlement account.
create table settlements (
  merchant_id uuid not null,
  id uuid not null,
  currency text not null check (currency in ('USDT', 'TRX')),
  settlement_account_id uuid not null,
  status text not null check (status in ('OPEN', 'COMPLETED', 'FAILED')),
  failure_reason text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, settlement_account_id) references settlement_accounts,
  check ((status = 'OPEN') = (ended_at is null))
);

-- One transfer out of a deposit address. `price` is what it is planned to burn, in sun. `due_at` is when it is looked at next.
create table sweeps (
  merchant_id uuid not null,
  id uuid not null,
  settlement_id uuid not null,
  deposit_address_id uuid not null,
  currency text not null check (currency in ('USDT', 'TRX')),
  recipient text not null check (recipient in ('merchant', 'operator')),
  destination text not null check (destination ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'),
  units bigint not null check (units > 0),
  resources text not null check (resources in ('delegate', 'burn')),
  price bigint not null check (price >= 0),
  status text not null check (status in ('PLANNED', 'ACTIVATING', 'RESOURCED', 'SIGNED', 'SENT', 'SOLID', 'RECLAIMED', 'WAITING',
    'RETRY', 'FROZEN', 'DROPPED')),
  reason text,
  attempts integer not null default 0 check (attempts >= 0),
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, id),
  foreign key (merchant_id, settlement_id) references settlements,
  foreign key (merchant_id, deposit_address_id) references deposit_addresses,
  check (status not in ('WAITING', 'RETRY', 'FROZEN') or reason is not null)
) with (fillfactor = 70);
create unique index sweeps_one_of_address on sweeps (merchant_id, deposit_address_id)
  where status not in ('RECLAIMED', 'DROPPED');
create index sweeps_of_settlement on sweeps (merchant_id, settlement_id, id);
create index sweeps_due on sweeps (due_at, merchant_id) where status not in ('RECLAIMED', 'DROPPED');

-- A transaction of a sweep: the transfer itself, or one that prepares its address. `id` is that of its signing request. Its bytes and
-- their id are stored before a node is given them. `block_*` is the block of our chain that has it; `outcome` is final.
create table sweep_transactions (
  merchant_id uuid not null,
  id uuid not null,
  sweep_id uuid not null,
  purpose text not null check (purpose in ('sweep', 'top_up', 'delegate', 'undelegate')),
  tx_id text check (tx_id ~ '^[0-9a-f]{64}$'),
  bytes bytea,
  expires_at timestamptz not null,
  sent_at timestamptz,
  block_number bigint,
  block_id text,
  is_successful boolean,
  -- sun that the chain took of its sender
  fee_units bigint check (fee_units >= 0),
  outcome text check (outcome in ('landed', 'failed', 'expired', 'refused')),
  created_at timestamptz not null default now(),
  primary key (merchant_id, id),
  unique (merchant_id, tx_id),
  foreign key (merchant_id, sweep_id) references sweeps,
  check ((tx_id is null) = (bytes is null)),
  check ((block_number is null) = (block_id is null))
) with (fillfactor = 70);
create index sweep_transactions_of_sweep on sweep_transactions (merchant_id, sweep_id);
create index sweep_transactions_by_tx_id on sweep_transactions (tx_id) where tx_id is not null;

-- The requests to the signer. Written once by the service, and never changed. `derivation_index` is of the deposit address:
-- the sender of a sweep, the receiver of the others. `units` are sun of a top-up, and sun of stake of a delegation.
create table signing_requests (
  id uuid primary key,
  kind text not null check (kind in ('sweep', 'top_up', 'delegate', 'undelegate')),
  merchant_id uuid,
  derivation_index bigint not null,
  address text not null,
  checkout_token text,
  address_mac bytea,
  currency text check (currency in ('USDT', 'TRX')),
  recipient text check (recipient in ('merchant', 'operator')),
  destination text,
  units bigint not null check (units > 0),
  fee_limit bigint not null default 0,
  block_number bigint not null,
  block_id text not null,
  block_time timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index signing_requests_pending on signing_requests (expires_at);

-- The signer's answer to a request: written by the signer alone, once. A refusal is final.
create table signing_results (
  request_id uuid primary key references signing_requests,
  tx_id text,
  transaction bytea,
  refusal text,
  signed_at timestamptz not null default now(),
  check ((refusal is null) = (tx_id is not null and transaction is not null))
);

-- The wallets of the signer's list, and since when each acts. The signer writes them. A row without an address withdraws one.
create table signer_destinations (
  counter bigint primary key,
  -- a uuid, or `operator`
  merchant_id text not null,
  name text not null,
  address text,
  -- minor units for each calendar month (UTC), by currency
  fee_ceiling jsonb not null,
  seen_at timestamptz not null,
  acts_from timestamptz not null
);

-- The state of the signer: one row, which it rewrites at each poll.
create table signer_state (
  one boolean primary key default true check (one),
  seen_at timestamptz,
  state jsonb not null
);
