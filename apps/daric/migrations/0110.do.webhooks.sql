-- Secrets are stored encrypted (AES-256-GCM, bound to the row's id); the plain secret is shown once, at creation. `secret_generation` is
-- how often the secret was made: the secrets of a row are sealed under this number, so that no earlier one opens again. While a rotation
-- overlaps, deliveries are signed with both secrets: the previous one has an end, or is not there. `resumed_at` is when the endpoint was
-- last enabled again. What came due by then is parked until a worker gives it a new time, behind `lined_up_until`, the last time it has
-- given.
create table webhook_endpoints (
  merchant_id uuid not null references merchants,
  id uuid not null,
  url text collate "C" not null check (char_length(url) <= 2048),
  description text collate "C" check (char_length(description) <= 255),
  event_types text[] collate "C" not null check (cardinality(event_types) > 0),
  is_active boolean not null default true,
  resumed_at timestamptz not null default '-infinity',
  lined_up_until timestamptz not null default '-infinity',
  secret_ciphertext bytea,
  previous_secret_ciphertext bytea,
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  secret_generation integer not null default 0 check (secret_generation >= 0),
  primary key (merchant_id, id),
  check ((secret_ciphertext is null) = (deleted_at is not null)),
  constraint webhook_endpoints_previous_secret
    check ((previous_secret_ciphertext is null) = (previous_secret_expires_at is null))
);
create index webhook_endpoints_newest on webhook_endpoints (merchant_id, created_at desc, id desc) where deleted_at is null;

-- The directory of what is due: one row per endpoint. `due_at` is never later than the first time at which something about the endpoint is
-- to be done: an attempt that waits, or a claim whose lease ends; it may be earlier, which costs a look. A transaction that adds work holds
-- the row `for key share`, lowered where it is later, until that is committed. One that raises it takes the row `for update`, passes over
-- one that is held, and looks again before it writes.
create table endpoint_queue (
  merchant_id uuid not null,
  endpoint_id uuid not null,
  due_at timestamptz not null default 'infinity',
  primary key (merchant_id, endpoint_id),
  foreign key (merchant_id, endpoint_id) references webhook_endpoints
) with (fillfactor = 50);
create index endpoint_queue_due on endpoint_queue (due_at);

-- What a merchant did to an endpoint (enabled or deleted it) that a worker has not looked at yet. A row of its own, so that the merchant
-- never waits for the holder of the queue's row.
create table endpoint_changes (
  merchant_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null default gen_random_uuid(),
  primary key (merchant_id, endpoint_id, id)
);

-- What an endpoint answered of late. After five failed attempts in a row it is suspended: it gets one attempt at `probe_at` and its other
-- deliveries wait, until an attempt succeeds. A row is made with the first result. A receiver asks for a pause (Retry-After): until
-- `paused_until` its endpoint gets no attempt. `paused_since`: the first such answer since the last success; for a day they count neither
-- against health nor among a delivery's attempts. `gone_since`: since then it answers 410 alone.
create table endpoint_health (
  merchant_id uuid not null,
  endpoint_id uuid not null,
  last_success_at timestamptz,
  -- when the first of the failed attempts since the last success began
  failing_since timestamptz,
  failed_attempts integer not null default 0 check (failed_attempts >= 0),
  probe_at timestamptz,
  paused_until timestamptz,
  paused_since timestamptz,
  gone_since timestamptz,
  primary key (merchant_id, endpoint_id),
  foreign key (merchant_id, endpoint_id) references webhook_endpoints,
  check ((failed_attempts > 0) = (failing_since is not null)),
  check (probe_at is null or failing_since is not null)
) with (fillfactor = 50);

-- Attempts of an hour by how long they took: the longest duration of a class is 2^(class/4) ms. `daric retain` deletes old hours.
create table endpoint_attempt_counts (
  merchant_id uuid not null,
  endpoint_id uuid not null,
  hour timestamptz not null,
  duration_class smallint not null,
  attempts bigint not null,
  accepted bigint not null,
  primary key (merchant_id, endpoint_id, hour, duration_class)
) with (fillfactor = 50);

-- The place of a merchant's newest event: 1, 2, 3 and on, without a gap. The statement that inserts events takes the next places from the
-- merchant's row, and holds that row until its transaction ends. So places become visible in their order: a reader who has read place n has
-- missed none before it.
create table event_positions (
  merchant_id uuid primary key references merchants,
  last_position bigint not null check (last_position > 0)
) with (fillfactor = 50);

-- An event happened once. Its id is a function of what it says, so that the key leaves no room for a second one; `resource_id` is the
-- deposit or the deposit address it is about; `sequence` counts the events of that resource, `position` those of the merchant. `mac` is of
-- merchant, id and body, under the integrity key. These rows stay for ever: what was said once is never said again under another name.
-- Without a foreign key: the positions of its merchant are taken by the statement that inserts an event, and name the merchant.
create table webhook_events (
  merchant_id uuid not null,
  id uuid not null,
  type text collate "C" not null,
  resource_id uuid,
  sequence integer not null check (sequence > 0),
  created_at timestamptz not null default now(),
  mac bytea,
  position bigint,
  primary key (merchant_id, id),
  unique (merchant_id, resource_id, sequence)
);
-- Not proven of rows that came before the rule.
alter table webhook_events
  add constraint webhook_events_mac_length check (octet_length(mac) = 32) not valid,
  add constraint webhook_events_position_positive check (position > 0) not valid;
create index webhook_events_newest on webhook_events (merchant_id, created_at, id);
create unique index webhook_events_position on webhook_events (merchant_id, position) where position is not null;

-- The exact bytes of every delivery of an event, of the time of the event. By month, so that old months can go. Without a foreign key, as
-- deliveries: both are inserted with their event by one statement, and events are never deleted.
create table webhook_event_bodies (
  merchant_id uuid not null,
  event_id uuid not null,
  created_at timestamptz not null default now(),
  body bytea not null check (octet_length(body) <= 20480),
  primary key (merchant_id, event_id, created_at)
) partition by range (created_at);
create table webhook_event_bodies_default partition of webhook_event_bodies default;

-- One delivery per event and endpoint. SENDING is a lease: after `lease_until` another worker may take the row, and `lease_number` keeps
-- the former holder from writing its result. `was_resent`: it had ended, and its merchant asked for one more attempt; from then on each
-- attempt is the only one. `expires_at`: it ends at the latest then, four days after its event or after it was last sent again. The twelve
-- attempts take 85 hours at most; a suspended endpoint would hold a delivery for longer. `pauses` are attempts that do not count among the
-- twelve. Without foreign keys: its transaction has read the endpoint, and endpoints are never deleted. The checks locked a row for each
-- event.
create table webhook_deliveries (
  merchant_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  event_type text collate "C" not null,
  reference_id uuid,
  status text collate "C" not null default 'PENDING'
    check (status in ('PENDING', 'SENDING', 'DELIVERED', 'FAILED', 'EXHAUSTED')),
  attempt_count integer not null default 0 check (attempt_count >= 0),
  last_status_code integer,
  last_error text collate "C",
  next_attempt_at timestamptz,
  lease_until timestamptz,
  lease_number bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  was_resent boolean not null default false,
  expires_at timestamptz not null default now() + interval '4 days',
  pauses integer not null default 0 check (pauses >= 0),
  primary key (merchant_id, id),
  unique (merchant_id, event_id, endpoint_id),
  check ((status = 'SENDING') = (lease_until is not null)),
  check ((status in ('PENDING', 'FAILED')) = (next_attempt_at is not null))
) with (fillfactor = 75);
-- Of an endpoint: a claim asks each that has something due for its oldest rows. So neither the backlog of a slow endpoint nor what is
-- parked for a disabled one is read past.
create index webhook_deliveries_due on webhook_deliveries (merchant_id, endpoint_id, next_attempt_at)
  where status in ('PENDING', 'FAILED');
create index webhook_deliveries_leased on webhook_deliveries (merchant_id, endpoint_id, lease_until)
  where status = 'SENDING';
create index webhook_deliveries_expiring on webhook_deliveries (merchant_id, endpoint_id, expires_at)
  where status in ('PENDING', 'FAILED');
-- Deliveries are listed in the order of their ids, which begin with their time: the key has it. A delivery is PENDING and SENDING for a
-- moment; those that stay so are found among the waiting ones, or among the newest. Each index more is a seventh of a delivery's time.
create index webhook_deliveries_newest_of_facet on webhook_deliveries (merchant_id, status, created_at desc, id desc)
  where status in ('DELIVERED', 'FAILED', 'EXHAUSTED');

-- What was tried, and what came of it; append-only, by month. What was sent stands here as far as no other row tells it, and is null where
-- nothing was sent: the body is that of the event, the time that is signed is the attempt's, the other headers follow from the delivery.
-- Without a foreign key: it is inserted with the result of its delivery, and `daric retain` deletes a delivery with its attempts.
create table webhook_attempts (
  merchant_id uuid not null,
  delivery_id uuid not null,
  number integer not null check (number > 0),
  trigger text collate "C" not null default 'schedule' check (trigger in ('schedule', 'resend', 'test')),
  status_code integer,
  response_snippet text collate "C",
  error text collate "C",
  duration_ms integer not null check (duration_ms >= 0),
  attempted_at timestamptz not null,
  -- the endpoint's at that time
  url text collate "C",
  -- HMACs of 32 bytes: of the body alone, and with id and time; both once more under the previous secret while a rotation overlaps
  signatures bytea,
  -- lines `name: value`, 1 kB at most
  response_headers text collate "C",
  primary key (merchant_id, delivery_id, number, attempted_at)
) partition by range (attempted_at);
create table webhook_attempts_default partition of webhook_attempts default;
