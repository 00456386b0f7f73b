-- Who made a block, by its own word, and whose key signed it: addresses in hex. Null in rows of before these were kept,
-- and the signer where nobody's key signed it. What is solid is counted from the last block of each known key.
alter table blocks add column witness text, add column signer text;
create index blocks_of_signer on blocks (network, witness, signer, number) where orphaned_at is null;

-- Who may sign: the key of each known witness, and the block from which it was learned or the head when it was pinned.
create table witness_keys (
  network text not null,
  witness text not null check (witness ~ '^41[0-9a-f]{40}$'),
  signer text not null check (signer ~ '^41[0-9a-f]{40}$'),
  since_block bigint not null check (since_block >= 0),
  primary key (network, witness)
);

-- What all nodes agreed on when they were asked: how many witnesses are active, and the fingerprint of them and their keys.
create table witness_pins (
  network text primary key,
  active integer not null check (active > 0),
  fingerprint text not null,
  pinned_at timestamptz not null default now()
);

-- The nodes' chain left ours at a block that was solid: nothing is read while one of a network is open. `resumed_at` is an
-- operator's word to go on along the nodes' chain, `ended_at` when the watcher did. Kept for whoever looks later.
create table scan_halts (
  network text not null,
  number bigint not null,
  our_id text not null,
  their_id text not null,
  nodes text not null,
  halted_at timestamptz not null default now(),
  resumed_at timestamptz,
  ended_at timestamptz,
  ancestor bigint,
  primary key (network, halted_at),
  check (ended_at is null or resumed_at is not null)
);
create unique index scan_halts_open on scan_halts (network) where ended_at is null;

-- Proof by key and by descent are missing; what is stored already has one of the older reasons.
alter table deposits drop constraint deposits_stuck_reason_check,
  add constraint deposits_stuck_reason_check
    check (stuck_reason in ('solidity', 'quorum', 'balance', 'unproven')) not valid;
