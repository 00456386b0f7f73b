import type { Currency } from "@daric/domain/asset";
import type { MerchantId } from "@daric/domain/ids";
import type { JournalLine } from "@daric/domain/journal";
import { readMonthlyTotals } from "@daric/ledger/store";
import type { Queryable } from "@daric/postgres/sql";
import { getBookTerms } from "../terms/book-terms-store.ts";
import { valuedEntries } from "./journal-rows.ts";
import { type BookedFact, listJournalFacts } from "./journal-store.ts";

const ENTRIES_AT_ONCE = 1_000;

/** A fault of the journal, and the entry or the month that has it. */
export type JournalFault = { readonly what: string; readonly of: string };

/**
 * The faults of a merchant's journal: entries that do not sum to zero, and months whose `held` is not the ledger's. Call it in one
 * snapshot. It holds one part of the entries.
 */
export async function findJournalFaults(db: Queryable, merchantId: MerchantId): Promise<JournalFault[]> {
  const { bookCurrency } = await getBookTerms(db, merchantId);
  const faults: JournalFault[] = [];
  const held = new Map<string, bigint>();
  let last: BookedFact | undefined;
  do {
    const page = { limit: ENTRIES_AT_ONCE, after: last?.place };
    const facts = await listJournalFacts(db, { merchantId }, page);
    for (const { place, currency, bookedAt, lines } of await valuedEntries(db, bookCurrency, facts)) {
      if (sumOf(lines, "units") !== 0n || sumOf(lines, "book") !== 0n)
        faults.push({
          what: "entry of the journal that does not sum to zero",
          of: `${place.id} ${place.line}`,
        });
      const ofHeld = lines.filter(({ account }) => account === "held");
      add(held, monthKey(bookedAt.toISOString(), currency), sumOf(ofHeld, "units"));
    }
    last = facts.length === ENTRIES_AT_ONCE ? facts.at(-1) : undefined;
  } while (last !== undefined);
  const inLedger = new Map<string, bigint>();
  for (const { month, currency, debit, credit, units } of await readMonthlyTotals(db, merchantId)) {
    if (isHeld(debit)) add(inLedger, monthKey(month, currency), units);
    if (isHeld(credit)) add(inLedger, monthKey(month, currency), -units);
  }
  for (const of of new Set([...held.keys(), ...inLedger.keys()]))
    if ((held.get(of) ?? 0n) !== (inLedger.get(of) ?? 0n))
      faults.push({
        what: "month of the journal with other held money than the ledger",
        of: `${merchantId} ${of}`,
      });
  return faults;
}

const MONTH_CHARS = "2026-11".length;

function monthKey(time: string, currency: Currency): string {
  return `${time.slice(0, MONTH_CHARS)} ${currency}`;
}

function isHeld(account: string): boolean {
  return account === "on_addresses" || account === "in_flight";
}

function add(sums: Map<string, bigint>, key: string, units: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + units);
}

/** Debits less credits. */
function sumOf(lines: readonly JournalLine[], of: "units" | "book"): bigint {
  return lines.reduce((sum, line) => sum + (line.side === "debit" ? 1n : -1n) * (line[of] ?? 0n), 0n);
}
