-- Whether the root of its block covers that a deposit was paid: a native transfer, or what a direct call of the token's own
-- transfer says. Of any other only nodes can tell, and one alone must also show what lies on the address. What waits so is
-- found by the partial index, however much else is open.
alter table deposits add column is_covered boolean not null default true;
alter table open_deposits add column is_covered boolean not null default true;
create index open_deposits_uncovered on open_deposits (network, block_number) where not is_covered;

-- What left our addresses, from the blocks that were read. A row is of the block that it was read in last, and has no
-- status of its own: it counts while that block is in the chain (`blocks.orphaned_at`).
create table outflows (
  merchant_id uuid not null,
  network text not null,
  tx_id text not null check (tx_id ~ '^[0-9a-f]{64}$'),
  source text not null check (source in ('transfer', 'log', 'internal')),
  event_index integer not null check (event_index >= 0),
  deposit_address_id uuid not null,
  address text not null,
  to_address text not null,
  currency text not null check (currency in ('USDT', 'TRX')),
  units bigint not null check (units > 0),
  is_covered boolean not null,
  block_number bigint not null,
  block_id text not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, network, tx_id, source, event_index, address)
);
create index outflows_of_address on outflows (merchant_id, address, block_number);

-- A token that we do not accept is kept once, with who sent it.
alter table unsupported_transfers add column address text, add column from_address text;
create index unsupported_transfers_newest on unsupported_transfers (merchant_id, created_at desc, id desc);

-- Blocks with contract calls that were read since an internal transaction was last seen, of any kind: so many of them
-- mean that the node does not save internal transactions, and TRX sent by contracts is not seen.
alter table scan_cursors add column blocks_without_internals bigint not null default 0;
