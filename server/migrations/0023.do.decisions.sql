-- An operator's word on a deposit that waits. An accepted one counts as covered in the block that it was accepted in. A rejected
-- one fails with the watcher's next look, and no block brings it back.
alter table deposits
  add column decision text check (decision in ('accepted', 'rejected')),
  drop constraint deposits_failure_reason_check,
  add constraint deposits_failure_reason_check
    check (failure_reason in ('dropped', 'failed_on_chain', 'rejected')) not valid;

-- What operators did, and why. The service adds rows; it changes and deletes none.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  -- a kind and an id: `deposit 0192…`
  subject text not null,
  before jsonb,
  after jsonb,
  reason text not null
);
create index audit_log_of_subject on audit_log (subject, id);
