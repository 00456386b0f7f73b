-- Messages to people: a row says what happened (`cause`: an event, or a day of a schedule) and to whom it is told, never a text or an address.
-- `merchant_id` is 0 for the operator's alerts. `mac` is under the integrity key over the columns before it. `due_at` is also the lease of
-- the process that sends. `address_hash`: a keyed hash of the address that was mailed, for the limit of a day.
create table messages (
  merchant_id uuid not null,
  id bigint generated always as identity,
  lane text collate "C" not null check (lane in ('operator', 'mail', 'chat')),
  kind text collate "C" not null check (kind ~ '^[a-z_]{1,40}$'),
  cause text collate "C" not null check (char_length(cause) <= 200),
  receiver text collate "C" not null check (char_length(receiver) <= 200),
  created_at timestamptz not null,
  mac bytea not null check (octet_length(mac) = 32),
  due_at timestamptz not null,
  gives_up_at timestamptz not null,
  attempts integer not null default 0,
  sent_at timestamptz,
  ended_at timestamptz check (sent_at is null or ended_at is not null),
  last_error text collate "C",
  address_hash bytea,
  primary key (merchant_id, id),
  unique (merchant_id, cause, receiver)
);
create index messages_waiting on messages (lane, due_at) where ended_at is null;
create index messages_of_receiver on messages (merchant_id, receiver, created_at);
create index messages_sent on messages (merchant_id, sent_at) where sent_at is not null;
create index messages_of_address on messages (address_hash, sent_at) where address_hash is not null;

-- What a member is told, and when. Without a row the defaults of the role hold. `choices` has the channels of each kind of message: `mail`,
-- or the id of a row of `message_channels`. `every_paid`: paid orders of programs are told too. Quiet hours are minutes of the day in `time_zone`.
create table message_choices (
  merchant_id uuid not null,
  person_id uuid not null,
  choices jsonb not null check (jsonb_typeof(choices) = 'object'),
  every_paid boolean not null default false,
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_to smallint check (quiet_to between 0 and 1439),
  time_zone text collate "C" not null default 'UTC' check (char_length(time_zone) <= 64),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, person_id),
  foreign key (merchant_id, person_id) references memberships on delete cascade,
  check (num_nulls(quiet_from, quiet_to) in (0, 2))
);

-- The chats of a member. `sealed`: the chat or the URL under the master key, bound to the row; null while a Telegram chat is only asked for by
-- its code. No message goes there before `confirmed_at`. `failure`: why the last message was refused for good.
create table message_channels (
  merchant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  kind text collate "C" not null check (kind in ('telegram', 'url')),
  name text collate "C" check (char_length(name) <= 200),
  sealed bytea,
  code_hash bytea unique check (octet_length(code_hash) = 32),
  code_expires_at timestamptz,
  confirmed_at timestamptz,
  failed_at timestamptz,
  failure text collate "C",
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, person_id) references memberships on delete cascade,
  check (confirmed_at is null or sealed is not null)
);
create index message_channels_of_member on message_channels (merchant_id, person_id);

-- Addresses that get no mail: their server refused them (of every merchant, so `merchant_id` is 0), or they were unsubscribed from a merchant.
create table mail_stops (
  merchant_id uuid not null,
  address_hash bytea not null check (octet_length(address_hash) = 32),
  reason text collate "C" not null check (reason in ('refused', 'unsubscribed')),
  detail text collate "C",
  created_at timestamptz not null default now(),
  ends_at timestamptz,
  primary key (merchant_id, address_hash, reason)
);

-- The e-mail of an order's payer, sealed under the master key and bound to the order: the first address with its origin and language, and the
-- newest later one, which changes nothing.
alter table deposit_addresses add column customer_email bytea;
create index deposit_addresses_customer_email on deposit_addresses (merchant_id, updated_at) where customer_email is not null;

alter table payment_links drop constraint payment_links_ask_check;
alter table payment_links add constraint payment_links_ask_check check (ask <@ array['name', 'note', 'email']);

-- The support address that its reader confirmed by a link: mails to payers are answered there.
alter table merchants add column confirmed_support_email text collate "C" check (char_length(confirmed_support_email) <= 254);

-- Over alert, labels, severity, summary, runbook and times, under the integrity key: an alert is told by this row.
alter table alert_occurrences add column mac bytea check (octet_length(mac) = 32);
drop table alert_messages;

update deployment set serves_from = 117;
