-- Blocks that an operator takes as they are told although a named check of theirs fails, each with the blocks above it up to
-- `until_number` of which nothing more is wrong. `told` is what the nodes' telling lacks, `reason` the operator's own words.
-- Rows are only ever added.
create table accepted_blocks (
  network text not null,
  block_id text not null check (block_id ~ '^[0-9a-f]{64}$'),
  block_number bigint not null check (block_number >= 1),
  until_number bigint not null check (until_number >= block_number),
  checks text[] not null check (checks <> '{}' and checks <@ '{verdicts,calls,root}'),
  told text not null,
  reason text not null check (reason <> ''),
  accepted_by text not null check (accepted_by <> ''),
  accepted_at timestamptz not null default clock_timestamp(),
  primary key (network, block_id, accepted_at)
);

-- With a quorum: up to which block it was compared what so many nodes show with what was read. Null where there is none.
alter table scan_cursors add column compared_number bigint;
