import { type Sql, sql } from "@daric/postgres/sql";

/**
 * The statements that touch rows of merchants whom nobody named, each with its reason. All others name the merchant for
 * every table they touch, so that a row is found by its owner only and a statement about one merchant costs the same
 * beside any number of others; the database tests refuse one that does not.
 */
export const globalStatements = {
  "merchant-list": "the operator lists all merchants",
  "first-charge-time": "a chain is read from the first charge of all on, when it is read for the first time",
  "owned-addresses":
    "the doctor looks at every address that was ever issued, each beside the charge that it is of",
  "all-issued":
    "the watcher keeps a filter of every address in memory, to look up hardly any that is not ours",
  "newly-issued": "that filter lacks what was issued since it was filled",
  "addresses-to-seal":
    "the owner has codes written beside every address that was issued before there were any",
  "delivery-backlog": "the operator is told how many deliveries wait, of all merchants",
  "unaccounted-outflows":
    "the watcher books what left addresses in a block that has become final, whoever's they are",
  "merchants-to-clear": "what is old is deleted of all merchants, a list of them at a time",
} as const;

/** The statement, marked as one of the list above: the mark is part of its text, for logs as for tests. */
export function globally(name: keyof typeof globalStatements, statement: Sql): Sql {
  return sql([`/* global: ${name} */ `, ""], statement);
}
