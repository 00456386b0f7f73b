-- The journal reads all lines of a merchant's ledger in the order of their time. Those of the debt to the merchant have the index of
-- statements; these are the others. Sweeps that only change the place of money are no entries.
create index ledger_entries_of_journal on ledger_entries (merchant_id, booked_at, transaction_id, line)
  where not ('merchant' in (debit, credit)) and kind not in ('sweep_sent', 'sweep_returned');
create index refunds_completed on refunds (merchant_id, completed_at, id) where status = 'COMPLETED';
