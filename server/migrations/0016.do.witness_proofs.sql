-- One node alone showed the blocks that a key was learned from: of such keys only so many are believed in a while, and the one
-- that it replaced comes back where another node shows that it signs still.
alter table witness_keys
  add column is_alone boolean not null default false,
  add column replaced text check (replaced ~ '^41[0-9a-f]{40}$');

-- A witness names the key that it signs with (AccountPermissionUpdateContract), in a block of ours. The root of the block
-- covers that, as nothing covers the signature of a block.
create table witness_key_changes (
  network text not null,
  block_id text not null,
  number bigint not null,
  witness text not null check (witness ~ '^41[0-9a-f]{40}$'),
  signer text not null check (signer ~ '^41[0-9a-f]{40}$'),
  -- where several are in one block the last counts
  place integer not null,
  primary key (network, witness, number, block_id, place)
);
