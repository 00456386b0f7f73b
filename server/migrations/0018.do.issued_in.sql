-- The transaction that put the address there: what an address filter does not have yet is what was put there by transactions that
-- had not ended when it looked last. By default, so that no statement can leave it out; without one are the addresses of before, which
-- are in no index and cost no rewrite of the table. At 10^7 addresses this takes two seconds in which none can be issued.
alter table address_directory
  add column issued_in bigint,
  alter column issued_in set default (pg_current_xact_id()::text::bigint),
  add constraint address_directory_issued_in_known check (issued_in is not null) not valid;
create index address_directory_issued_in on address_directory (issued_in) where issued_in is not null;
