import type { Vocabulary } from "./openapi-vocabulary.ts";

/** The meaning of the names of the books. */
export const bookMeanings: Vocabulary["meanings"] = {
  book_currency:
    "The currency of your books in which the deposit is valued. Null while its value is not known, as the other `book_` fields.",
  book_amount:
    "The value of the deposit in units of `book_currency`: `amount` × `book_rate`, rounded half up to its smallest unit.",
  book_rate: "Units of `book_currency` for 1 unit of `currency` at the time of the block.",
  book_rate_sources:
    "The sources of `book_rate`, with a plus between them; `import:` marks one that was imported.",
  "exportPayments.payment":
    "`paid`: only orders that are paid or accepted. `short`: only those with some confirmed money that are neither.",
  "exportPayments.payment_link_id": "Only orders made by this payment link, by its id (UUID).",
  "exportPayments.payer_ref": "Only orders whose link was opened with this `ref`.",
  book_rate_at: "The minute of `book_rate` (ISO 8601, UTC); of a rate with several parts the oldest.",
};
