-- What the metrics of each process said, for an hour: the notifier evaluates the conditions of alerts on them. `process` is its host and
-- port of metrics.
create table alert_samples (
  id bigint generated always as identity primary key,
  process text collate "C" not null check (char_length(process) <= 300),
  taken_at timestamptz not null default now(),
  samples jsonb not null
);

-- Each time that the condition of an alert held. It is pending until `started_at`, and open until `ended_at`. `labels` is JSON.
create table alert_occurrences (
  id bigint generated always as identity primary key,
  alert text collate "C" not null,
  labels text collate "C" not null,
  severity text collate "C" not null check (severity in ('critical', 'warning')),
  summary text collate "C" not null,
  runbook text collate "C" not null,
  pending_since timestamptz not null,
  true_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz check (ended_at is null or started_at is not null)
);
create unique index alert_occurrences_open on alert_occurrences (alert, labels) where ended_at is null;
create index alert_occurrences_ended on alert_occurrences (ended_at);

-- What must be told, once per channel. A row is written with the change that it tells, and stays a month. `day` is that of a digest.
create table alert_messages (
  id bigint generated always as identity primary key,
  channel text collate "C" not null check (channel in ('webhook', 'mail', 'telegram')),
  is_critical boolean not null,
  message jsonb not null,
  day date,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  sent_at timestamptz,
  given_up_at timestamptz,
  last_error text collate "C",
  unique (channel, day)
);
create index alert_messages_waiting on alert_messages (due_at) where sent_at is null and given_up_at is null;
