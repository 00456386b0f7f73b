-- A lease is silent, and may be taken over, when neither its epoch nor `renewals` has changed for its time by the clock of
-- whoever stands by; `expires_at` only informs. `is_free`: its holder has given it up.
alter table leases
  add column renewals bigint not null default 0,
  add column is_free boolean not null default false;

-- Ranges of blocks that an operator has asked to have read again. The watcher works them off in the order of `id`, a few
-- blocks at a step: `next_number` is the first block that is still to be read. Blocks before the first one that was ever
-- read are added to the chain downwards: `goes_down`, and `next_number` falls. What was found: `blocks_added` that we did
-- not have, `deposits_added` that our books lacked, `blocks_differing` at or below what was final that the nodes tell
-- otherwise than we read them, of which the first few are in `differing`. `note` says why it waits or was refused.
create table rescans (
  network text not null,
  id bigint generated always as identity,
  from_number bigint not null check (from_number >= 1),
  to_number bigint not null check (to_number >= from_number),
  next_number bigint not null,
  goes_down boolean not null default false,
  status text not null default 'WAITING' check (status in ('WAITING', 'RUNNING', 'DONE', 'REFUSED')),
  blocks_read bigint not null default 0,
  blocks_added bigint not null default 0,
  deposits_added bigint not null default 0,
  blocks_differing bigint not null default 0,
  differing text[] not null default '{}',
  note text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (network, id),
  check ((finished_at is not null) = (status in ('DONE', 'REFUSED')))
);
create index rescans_open on rescans (network, id) where finished_at is null;
