-- What an attempt sent and what was answered, as far as no other row tells it. Null for attempts from before these columns, and where
-- nothing was sent. The body is that of the event; the time that is signed is the attempt's; the other headers follow from the delivery.
alter table webhook_attempts
  -- the endpoint's at that time
  add column url text,
  -- HMACs of 32 bytes: of the body alone, and with id and time; both once more under the previous secret while a rotation overlaps
  add column signatures bytea,
  -- lines `name: value`, 1 kB at most
  add column response_headers text;
