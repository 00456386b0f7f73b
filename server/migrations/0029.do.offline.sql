-- Sweeps that a signer without a network signs: `daric sweep export` plans them, and no running signer is ever asked for them. Such a
-- sweep is PLANNED until `daric sweep import` brings its signed transactions, or until they could land no more.
alter table sweeps add column is_offline boolean not null default false;
create index sweeps_exported on sweeps (merchant_id, id) where is_offline and status = 'PLANNED';
