-- The blocks that were read whole and believed, linked by parent. A block that left the chain is kept with `orphaned_at`; at most one block
-- of a height is in the chain. `witness` is the maker that its header names, an address in hex: what is solid is counted from them.
-- `infos_digest` is the SHA-256 over the ids of the block's transactions in their order, where one of them ran a contract; null where none
-- did. `source_node` is the node that the block was read from.
create table blocks (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{64}$'),
  network text collate "C" not null,
  number bigint not null check (number >= 0),
  parent_id text collate "C" not null,
  time timestamptz not null,
  transaction_count integer not null check (transaction_count >= 0),
  transfer_count integer not null check (transfer_count >= 0),
  leader_epoch bigint not null check (leader_epoch > 0),
  scanned_at timestamptz not null default now(),
  orphaned_at timestamptz,
  witness text collate "C",
  infos_digest text collate "C",
  source_node text collate "C"
);
create unique index blocks_in_chain on blocks (network, number) where orphaned_at is null;
-- The newest forks: few blocks ever leave the chain.
create index blocks_orphaned on blocks (network, orphaned_at) where orphaned_at is not null;

-- How far the chain has been read (`number`, `block_id`), moved only by the transaction that stores the block and its deposits. Up to
-- `solid_number`, which only grows, all blocks are final and verified. `blocks_without_internals` counts blocks with contract calls that
-- were read since an internal transaction was last seen: so many of them mean that the node does not save those, and TRX sent by contracts
-- is not seen.
create table scan_cursors (
  network text collate "C" primary key,
  number bigint not null,
  block_id text collate "C" not null,
  time timestamptz not null,
  solid_number bigint not null default 0,
  solid_time timestamptz,
  leader_epoch bigint not null check (leader_epoch > 0),
  updated_at timestamptz not null default now(),
  blocks_without_internals bigint not null default 0
);

-- The nodes' chain left ours at a block that was solid: nothing is read while one of a network is open. `resumed_at` is when an operator
-- let the watcher go on along the nodes' chain, `ended_at` when the watcher did. Rows are kept.
create table scan_halts (
  network text collate "C" not null,
  number bigint not null,
  our_id text collate "C" not null,
  their_id text collate "C" not null,
  nodes text collate "C" not null,
  halted_at timestamptz not null default now(),
  resumed_at timestamptz,
  ended_at timestamptz,
  ancestor bigint,
  primary key (network, halted_at),
  check (ended_at is null or resumed_at is not null)
);
create unique index scan_halts_open on scan_halts (network) where ended_at is null;

-- Blocks that an operator accepts although a named check of theirs fails. Each stands for the blocks above it, up to `until_number`, that
-- have no other fault. `node_faults` is what each node's response lacked, `reason` the operator's own words. Rows are only ever added.
create table accepted_blocks (
  network text collate "C" not null,
  block_id text collate "C" not null check (block_id ~ '^[0-9a-f]{64}$'),
  block_number bigint not null check (block_number >= 1),
  until_number bigint not null check (until_number >= block_number),
  checks text[] collate "C" not null check (checks <> '{}' and checks <@ '{verdicts,calls,root}'),
  node_faults text collate "C" not null,
  reason text collate "C" not null check (reason <> ''),
  accepted_by text collate "C" not null check (accepted_by <> ''),
  accepted_at timestamptz not null default clock_timestamp(),
  primary key (network, block_id, accepted_at)
);

-- Ranges of blocks that an operator asked to have read again. The watcher works them off in the order of `id`, a few blocks at a step:
-- `next_number` is the first block that is still to be read. Blocks before the first one that was ever read are added to the chain
-- downwards: `goes_down`, and `next_number` falls. What was found: `blocks_added` that we did not have, and `deposits_added` that our books
-- lacked. `blocks_differing` were final, and the nodes now show others; the first few are in `differing`. `note` says why it waits or was
-- refused.
create table rescans (
  network text collate "C" not null,
  id bigint generated always as identity,
  from_number bigint not null check (from_number >= 1),
  to_number bigint not null check (to_number >= from_number),
  next_number bigint not null,
  goes_down boolean not null default false,
  status text collate "C" not null default 'WAITING' check (status in ('WAITING', 'RUNNING', 'DONE', 'REFUSED')),
  blocks_read bigint not null default 0,
  blocks_added bigint not null default 0,
  deposits_added bigint not null default 0,
  blocks_differing bigint not null default 0,
  differing text[] collate "C" not null default '{}',
  note text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (network, id),
  check ((finished_at is not null) = (status in ('DONE', 'REFUSED')))
);
create index rescans_open on rescans (network, id) where finished_at is null;

-- Of the blocks of a range that were read again, how many each node showed as ours, and how many it did not. `reason`: why it did not show
-- the last of those. The counts are written in the transaction of the range's own progress.
create table rescan_nodes (
  network text collate "C" not null,
  rescan_id bigint not null,
  node text collate "C" not null,
  blocks_shown bigint not null default 0,
  blocks_not_shown bigint not null default 0,
  reason text collate "C",
  primary key (network, rescan_id, node),
  foreign key (network, rescan_id) references rescans
);
