-- Secrets are stored encrypted (AES-256-GCM, bound to the row's id); the plain secret is shown once, at creation.
-- What came due by `resumed_at`, when the endpoint was last enabled again, is parked until a worker gives it a new
-- time behind `lined_up_until`, the last time it has given.
create table webhook_endpoints (
  merchant_id uuid not null references merchants,
  id uuid not null,
  url text not null check (char_length(url) <= 2048),
  description text check (char_length(description) <= 255),
  event_types text[] not null check (cardinality(event_types) > 0),
  is_active boolean not null default true,
  resumed_at timestamptz not null default '-infinity',
  lined_up_until timestamptz not null default '-infinity',
  secret_ciphertext bytea,
  previous_secret_ciphertext bytea,
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (merchant_id, id),
  check ((secret_ciphertext is null) = (deleted_at is not null))
);
create index webhook_endpoints_newest on webhook_endpoints (merchant_id, created_at desc, id desc) where deleted_at is null;

-- The directory of what is due: one row per endpoint. `due_at` is never later than the first time at which something
-- about the endpoint is to be done: an attempt that waits, or a claim whose lease ends; it may be earlier, which costs a
-- look. Whoever adds work holds the row `for key share`, lowered where it is later, until that is committed; whoever
-- raises it takes the row `for update`, passes over one that is held, and looks again before it writes.
create table endpoint_queue (
  merchant_id uuid not null,
  endpoint_id uuid not null,
  due_at timestamptz not null default 'infinity',
  primary key (merchant_id, endpoint_id),
  foreign key (merchant_id, endpoint_id) references webhook_endpoints
) with (fillfactor = 50);
create index endpoint_queue_due on endpoint_queue (due_at);

-- What a merchant did to an endpoint (enabled or deleted it) that a worker has not looked at yet. A row of its own, so
-- that he never waits for whoever holds the queue's.
create table endpoint_changes (
  merchant_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null default gen_random_uuid(),
  primary key (merchant_id, endpoint_id, id)
);

-- An event happened once. Its id is a function of what it says, so that the key leaves no room for a second one;
-- `resource_id` is the deposit or the deposit address it is about; `sequence` counts the events of that resource.
-- These rows stay for ever: what was said once is never said again under another name.
create table webhook_events (
  merchant_id uuid not null references merchants,
  id uuid not null,
  type text not null,
  resource_id uuid,
  sequence integer not null check (sequence > 0),
  created_at timestamptz not null default now(),
  primary key (merchant_id, id),
  unique (merchant_id, resource_id, sequence)
);
create index webhook_events_newest on webhook_events (merchant_id, created_at, id);

-- The exact bytes of every delivery of an event, of the time of the event. By month, so that old months can go.
create table webhook_event_bodies (
  merchant_id uuid not null,
  event_id uuid not null,
  created_at timestamptz not null default now(),
  body bytea not null check (octet_length(body) <= 20480),
  primary key (merchant_id, event_id, created_at),
  foreign key (merchant_id, event_id) references webhook_events
) partition by range (created_at);
create table webhook_event_bodies_default partition of webhook_event_bodies default;

-- One delivery per event and endpoint. SENDING is a lease: after `lease_until` another worker may take the row, and
-- `lease_number` keeps the former holder from writing its result.
create table webhook_deliveries (
  merchant_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  event_type text not null,
  reference_id uuid,
  status text not null default 'PENDING'
    check (status in ('PENDING', 'SENDING', 'DELIVERED', 'FAILED', 'EXHAUSTED')),
  attempt_count integer not null default 0 check (attempt_count >= 0),
  last_status_code integer,
  last_error text,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  lease_number bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, id),
  foreign key (merchant_id, event_id) references webhook_events,
  foreign key (merchant_id, endpoint_id) references webhook_endpoints,
  unique (merchant_id, event_id, endpoint_id),
  check ((status = 'SENDING') = (lease_until is not null)),
  check ((status in ('PENDING', 'FAILED')) = (next_attempt_at is not null))
) with (fillfactor = 75);
-- Of an endpoint: a claim asks each that has something due for its oldest rows, so that neither the backlog of a slow
-- endpoint nor what is parked for a disabled one is ever read past.
create index webhook_deliveries_due on webhook_deliveries (merchant_id, endpoint_id, next_attempt_at)
  where status in ('PENDING', 'FAILED');
create index webhook_deliveries_leased on webhook_deliveries (merchant_id, endpoint_id, lease_until)
  where status = 'SENDING';
create index webhook_deliveries_newest on webhook_deliveries (merchant_id, created_at desc, id desc);
create index webhook_deliveries_newest_of_facet on webhook_deliveries (merchant_id, status, created_at desc, id desc);
create index webhook_deliveries_of_reference on webhook_deliveries (merchant_id, reference_id, created_at desc, id desc);

-- What was tried, and what came of it; append-only, by month.
create table webhook_attempts (
  merchant_id uuid not null,
  delivery_id uuid not null,
  number integer not null check (number > 0),
  trigger text not null default 'schedule' check (trigger in ('schedule', 'resend', 'test')),
  status_code integer,
  response_snippet text,
  error text,
  duration_ms integer not null check (duration_ms >= 0),
  attempted_at timestamptz not null,
  primary key (merchant_id, delivery_id, number, attempted_at),
  foreign key (merchant_id, delivery_id) references webhook_deliveries
) partition by range (attempted_at);
create table webhook_attempts_default partition of webhook_attempts default;
