-- `serves_from` is the newest migration that a program must know at least to work on this schema. A migration that adds
-- leaves it as it is: running programs of before go on. A migration that takes away what they use raises it to its own number.
alter table deployment add column serves_from integer not null default 35 check (serves_from > 0);
