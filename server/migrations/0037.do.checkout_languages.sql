-- The languages of a merchant's payment page, of those that the operator offers; null: all of them.
alter table merchants add column checkout_languages text[]
  check (cardinality(checkout_languages) between 1 and 50 and array_position(checkout_languages, null) is null);
