-- Solid blocks are read a second time before a deposit in them is confirmed.
--
-- `infos_digest`: SHA-256 over the ids of the block's transactions in their order, where one of them ran a contract; null where
-- none did, `unknown` of blocks that were read before. `told_by`: the node that told the block when it was read.
alter table blocks add column infos_digest text default 'unknown', add column told_by text;
alter table blocks alter column infos_digest drop default;

-- Up to `solid_number` all blocks are verified.
alter table scan_cursors drop column compared_number;

-- Why a deposit is confirmed or waits: one row per deposit and check, about the block that the deposit was in then.
create table deposit_checks (
  merchant_id uuid not null,
  deposit_id uuid not null,
  name text not null check (name in ('solidity', 'quorum', 'balance')),
  block_id text not null,
  result text not null check (result in ('passed', 'waiting')),
  detail text not null,
  -- since when the result is this one
  since timestamptz not null default now(),
  checked_at timestamptz not null default now(),
  primary key (merchant_id, deposit_id, name)
);
