-- Codes under DARIC_INTEGRITY_KEY, which is outside the database: the password of the service writes a row and not its code. `integrity_check` is a keyed digest of that key, as those of the other secrets. Events from
-- before `events_sealed_from` have no code; the service cannot choose the time of an event. Addresses from before
-- `addresses_sealed_at` may have none: `daric integrity seal` writes the codes of older ones, and then this time.
alter table deployment
  add column integrity_check bytea check (octet_length(integrity_check) = 32),
  add column events_sealed_from timestamptz not null default now(),
  add column addresses_sealed_at timestamptz;
update deployment set addresses_sealed_at = now() where not exists (select from deposit_addresses);

-- Of network, index, address, merchant and charge. No row is read for the checks: none has a code yet.
alter table deposit_addresses
  add column address_mac bytea,
  add constraint deposit_addresses_address_mac_length check (octet_length(address_mac) = 32) not valid;

-- Of merchant, id and body.
alter table webhook_events
  add column mac bytea,
  add constraint webhook_events_mac_length check (octet_length(mac) = 32) not valid;
