-- A refund is a promise of money back: an amount of a coin, an address that the payer or the merchant named, and a transfer that the chain
-- shows. The merchant pays it; no key of the service does. `needs_confirmation`: why a person must confirm it before it is READY. `default_address`:
-- the sender of a large surplus. `claim_number` counts the claim links; only the newest holds. `head_number`: the newest block that was read
-- when it became READY. `mac` is under the integrity key over what decides where the money goes (`refund.ts` lists the columns).
create table refunds (
  merchant_id uuid not null references merchants,
  id uuid not null,
  deposit_address_id uuid not null,
  currency text collate "C" not null check (currency ~ '^[A-Z0-9]{2,10}$'),
  units bigint not null check (units > 0),
  fiat_amount text collate "C",
  refund_ref text collate "C" check (char_length(refund_ref) <= 120),
  reason text collate "C" check (char_length(reason) <= 500),
  status text collate "C" not null check (status in ('REQUESTED', 'READY', 'SENT', 'COMPLETED', 'CANCELED')),
  address text collate "C",
  named_by text collate "C" check (named_by in ('payer', 'merchant')),
  default_address text collate "C",
  needs_confirmation text collate "C"
    check (needs_confirmation in ('address', 'paid_money', 'other_address', 'order_changed')),
  asked_by uuid,
  api_key_id uuid,
  confirmed_by uuid,
  claim_number integer not null default 1,
  claim_until timestamptz not null,
  refused_addresses smallint not null default 0,
  ready_count integer not null default 0,
  head_number bigint,
  frozen_until timestamptz,
  tx_id text collate "C" check (tx_id ~ '^[0-9a-f]{64}$'),
  paid_units bigint check (paid_units > 0),
  created_at timestamptz not null default now(),
  ready_at timestamptz,
  sent_at timestamptz,
  completed_at timestamptz,
  canceled_at timestamptz,
  updated_at timestamptz not null default now(),
  mac bytea not null check (octet_length(mac) = 32),
  primary key (merchant_id, id),
  foreign key (merchant_id, deposit_address_id) references deposit_addresses,
  check (address is not null or status <> 'COMPLETED'),
  check ((status = 'COMPLETED') = (completed_at is not null and paid_units is not null)),
  check (ready_count = 0 or head_number is not null)
) with (fillfactor = 80);
create unique index refunds_ref on refunds (merchant_id, refund_ref) where refund_ref is not null;
create index refunds_of_charge on refunds (merchant_id, deposit_address_id);
create index refunds_newest on refunds (merchant_id, created_at, id);
create index refunds_open on refunds (merchant_id, status, created_at) where status in ('REQUESTED', 'READY', 'SENT');

-- Each address that a refund was READY with, and since which block: a transfer to it may be the refund. `mac` is over the columns before it.
create table refund_addresses (
  merchant_id uuid not null,
  refund_id uuid not null,
  address bytea not null check (octet_length(address) = 20),
  currency text collate "C" not null,
  units bigint not null,
  head_number bigint not null,
  mac bytea not null check (octet_length(mac) = 32),
  watched_until timestamptz not null default 'infinity',
  primary key (merchant_id, refund_id, address)
);
-- The watcher keeps all of them in memory, and reads them again when their number or the sum of their heights changes.
create index refund_addresses_watched on refund_addresses (watched_until, head_number);

-- Transfers to addresses of refunds, of the whole deployment: one transfer is of one refund. It counts while its block is in the chain.
-- PROPOSED: a person decides whether it is the refund. `confirmed_by`: the person; its sender is then a paying wallet of the merchant.
create table refund_transfers (
  network text collate "C" not null,
  tx_id text collate "C" not null check (tx_id ~ '^[0-9a-f]{64}$'),
  source text collate "C" not null check (source in ('transfer', 'log', 'internal')),
  event_index integer not null check (event_index >= 0),
  merchant_id uuid not null,
  refund_id uuid not null,
  from_address text collate "C" not null,
  to_address text collate "C" not null,
  currency text collate "C" not null check (currency ~ '^[A-Z0-9]{2,10}$'),
  units bigint not null check (units > 0),
  status text collate "C" not null check (status in ('PROPOSED', 'TAKEN', 'FINAL', 'DROPPED')),
  confirmed_by uuid,
  mac bytea not null check (octet_length(mac) = 32),
  block_number bigint not null,
  block_id text collate "C" not null,
  block_time timestamptz not null,
  tx_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (network, tx_id, source, event_index)
);
create index refund_transfers_of_refund on refund_transfers (merchant_id, refund_id);
create index refund_transfers_taken on refund_transfers (network, block_number) where status = 'TAKEN';
create index refund_transfers_confirmed on refund_transfers (merchant_id, from_address) where confirmed_by is not null;

-- The fee share of a surplus goes back with it: `fee_returned`.
alter table ledger_entries drop constraint ledger_entries_accounts;
alter table ledger_entries add constraint ledger_entries_accounts check (
    (kind = 'deposit' and debit = 'on_addresses' and credit = 'merchant')
    or (kind = 'unmatched' and debit = 'on_addresses' and credit = 'merchant')
    or (kind = 'fee' and debit = 'merchant' and credit = 'operator_fees')
    or (kind = 'fixed_fee' and debit = 'merchant' and credit = 'operator_fees')
    or (kind = 'fee_returned' and debit = 'operator_fees' and credit = 'merchant')
    or (kind = 'sweep_sent' and debit = 'in_flight' and credit = 'on_addresses')
    or (kind = 'sweep_landed' and debit = 'merchant' and credit = 'in_flight')
    or (kind = 'sweep_landed' and debit = 'operator_fees' and credit = 'in_flight')
    or (kind = 'sweep_returned' and debit = 'on_addresses' and credit = 'in_flight')
    or (kind = 'top_up' and debit = 'on_addresses' and credit = 'gas')
    or (kind = 'activation' and debit = 'network_cost' and credit = 'gas')
    or (kind = 'gas_burn' and debit = 'network_cost' and credit = 'on_addresses')
    or (kind = 'deposit_burn' and debit = 'network_cost' and credit = 'on_addresses')
    or (kind = 'excess' and debit = 'on_addresses' and credit = 'suspense')
    or (kind = 'outflow' and debit = 'merchant' and credit = 'on_addresses')
    or (kind = 'outflow' and debit = 'operator_fees' and credit = 'on_addresses')
    or (kind = 'outflow' and debit = 'suspense' and credit = 'on_addresses')) not valid;
