import { type Sql, sql } from "@daric/postgres/sql";
import { requireAllAnswering } from "@daric/postgres/tenants";

/**
 * The only statements that touch rows of merchants without naming a merchant, each with its reason. The database
 * tests reject any other such statement. This keeps tenants apart, and the cost of a statement independent of other
 * merchants.
 */
export const globalStatements = {
  "merchant-list": "the operator lists all merchants",
  "book-currencies": "the api polls the currencies in which any merchant keeps its books",
  "several-merchants": "a page names its host where there are several merchants",
  "several-on-coordinator":
    "while a server of a distributed database hangs, the tables of the coordinator say whether there are several merchants",
  "first-charge-time": "the first scan of a chain starts at the first charge of all merchants",
  "owned-addresses": "the doctor compares every issued address with its charge",
  "charges-of-tokens":
    "a payer has a token alone, and each server of a distributed database knows those of its merchants",
  "links-of-tokens":
    "a payer has a token alone, and each server of a distributed database knows the links of its merchants",
  "merchants-of-coordinator":
    "while a server of a distributed database hangs, a payer's token is asked of the merchants of the others by name",
  "all-issued": "the watcher fills its Bloom filter with every issued address",
  "newly-issued": "the Bloom filter is topped up with newly issued addresses",
  "keys-of-servers":
    "a distributed database, and its copy on one server, find the charges of all merchants by other keys",
  "addresses-to-seal": "after a lost integrity key the addresses of all merchants get MACs under the new one",
  "watched-refunds-version": "the watcher reads the refund addresses of all merchants again once one changes",
  "watched-refunds": "the watcher looks for transfers to the refund addresses of all merchants",
  "delivery-backlog": "a metric counts the waiting deliveries of all merchants",
  "contents-to-sweep": "a plan takes the addresses that hold most, of all merchants",
  "contents-left": "the operator is shown what a plan leaves out, of all merchants",
  "contents-by-hand": "the operator is shown the addresses of all merchants that hold money",
  "sweeps-under-way": "a plan leaves room for the sweeps of all merchants that are under way",
  "due-sweeps": "settlement goes on with the sweeps of all merchants",
  "requested-loans": "the stake lends to the sweeps of all merchants",
  "promised-energy": "the stake lends to the sweeps of all merchants",
  "waiting-loans": "the stake lends to the sweeps of all merchants",
  "open-returns": "settlement follows what the stake takes back, of all merchants",
  "settlements-to-end": "a settlement ends with the last of its sweeps, of all merchants",
  "exported-transactions": "an offline signer's file has transactions of all merchants",
  "offline-sweeps": "the settlement role works once sweeps of any merchant were exported",
  "overdue-exports": "settlement gives up the exports of all merchants that were not signed in time",
  "open-exports": "the operator is shown the exports of all merchants",
  "unbooked-costs": "the ledger books what transactions cost, of all merchants",
  "unbooked-loans": "the ledger books what loans of energy cost, of all merchants",
  "open-sweep-counts": "a metric counts the sweeps of all merchants by status",
  "held-sweeps": "the operator is shown the sweeps of all merchants that wait",
  "gas-of-week": "the operator is shown what the gas wallet spent for all merchants",
  "expiring-keys": "a metric counts the API keys of all merchants that expire soon",
  "search-totals": "the search's worker finds the lists of all merchants that have new rows",
  "search-progress": "the search's worker compares the progress of all merchants with their lists",
  "emails-to-forget": "addresses of payers of all merchants are forgotten, one list of merchants at a time",
  "merchants-to-clear": "retention deletes old rows of all merchants, one list of merchants at a time",
} as const;

/** Those of tables that the coordinator of a distributed database has alone. */
const onCoordinator: readonly (keyof typeof globalStatements)[] = [
  "all-issued",
  "newly-issued",
  "merchants-of-coordinator",
  "watched-refunds-version",
  "watched-refunds",
  "several-on-coordinator",
];

/**
 * Marks a statement as one of the list. The mark is part of its text, for logs and tests.
 * @throws HungServerError while a server of the database does not answer, because the statement asks each of them.
 */
export function globally(name: keyof typeof globalStatements, statement: Sql): Sql {
  if (!onCoordinator.includes(name)) requireAllAnswering();
  return sql([`/* global: ${name} */ `, ""], statement);
}
