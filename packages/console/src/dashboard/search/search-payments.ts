import { type Charge, loadCharges } from "@daric/charges/charge";
import { type Arrived, findArrivals } from "@daric/deposits/lookup/arrival-store";
import type { LookUp, LookupChain, NodeLookup } from "@daric/deposits/lookup/look-up";
import { isSeen, type Seen } from "@daric/domain/caller";
import { type ChargeId, refKey } from "@daric/domain/ids";
import { parseAmount } from "@daric/domain/money";
import { amountTerm, fieldWithWords, senderTerm, wholeTerm } from "@daric/domain/search-terms";
import type { Queryable } from "@daric/postgres/sql";
import type { ContextOf } from "@daric/runtime/context";
import {
  type Found,
  findAmongNewest,
  findByAddress,
  findByBeginning,
  findByEnds,
  findByIndex,
  findByTerms,
  findByToken,
  MAX_FOUND,
  type SearchReason,
} from "./search-store.ts";
import { readSearchText, type SearchText } from "./search-text.ts";
import { type Candidates, findByWords } from "./word-store.ts";

const NONE: Candidates = { ids: [], isCut: false };

export type SearchHit = { readonly charge: Charge; readonly why: SearchReason };

export type SearchAnswer = {
  readonly hits: readonly SearchHit[];
  /** there may be more, because the search ended before all of the merchant's payments had been looked at */
  readonly isCut: boolean;
  /** what nodes say of a transaction that is no payment of the merchant; or that no node of TRON can know it */
  readonly transaction?: NodeLookup | "not_on_tron";
};

export type SearchContext = Pick<ContextOf, "db"> & {
  readonly lookUp: LookUp;
  /** the chain, once it is verified */
  readonly currentChain: () => LookupChain | undefined;
};
type Asker = Seen & { readonly clientAddress: string };

/**
 * The payments that a text may mean, each once: those that an index names exactly come first, those that have its words last. Where
 * there is none, and the text names a transaction, nodes are queried.
 */
export async function searchPayments(
  { db, lookUp, currentChain }: SearchContext,
  asker: Asker,
  typed: string,
): Promise<SearchAnswer> {
  const { merchantId, createdBy } = asker;
  const seen = { merchantId, createdBy };
  const own = db.forTenant(merchantId);
  const asked = readSearchText(typed);
  const { transaction } = asked;
  if (typeof transaction === "string") {
    const answer = await findHits(own, seen, { asked, arrivals: [] });
    return transaction === "not_on_tron" && answer.hits.length === 0 ? { ...answer, transaction } : answer;
  }
  const { txId } = transaction;
  // What nodes say of it may be a payment to an order that this person may not see.
  if (createdBy !== undefined)
    return findHits(own, seen, { asked, arrivals: await findArrivals(own, { merchantId, txId }) });
  let found: SearchAnswer = { hits: [], isCut: false };
  const { nodes } = await lookUp({
    db: own,
    chain: currentChain,
    txId,
    owner: asker,
    findOurs: async () => {
      const arrivals = await findArrivals(own, { merchantId, txId });
      found = await findHits(own, seen, { asked, arrivals });
      return found.hits;
    },
    isOurs: (address) => address.merchantId === merchantId,
  });
  return { ...found, ...(nodes && { transaction: nodes }) };
}

type Question = { readonly asked: SearchText; readonly arrivals: readonly Arrived[] };

async function findHits(db: Queryable, seen: Seen, { asked, arrivals }: Question): Promise<SearchAnswer> {
  const { merchantId } = seen;
  const exact = [
    ...(await findExactly(db, seen, asked)),
    ...arrivals.map(({ chargeId: id }): Found => ({ id, why: "transaction" })),
  ];
  const texts = exact.length < MAX_FOUND ? await findByTexts(db, seen, asked) : NONE;
  const ids = [...new Set([...exact.map(({ id }) => id).slice(0, MAX_FOUND), ...texts.ids])];
  const charges = await loadCharges(
    db,
    ids.map((id) => ({ merchantId, id })),
  );
  const whys = new Map(exact.toReversed().map(({ id, why }) => [id, why]));
  const found = ids.flatMap((id): SearchHit[] => {
    const charge = charges.get(refKey({ merchantId, id }));
    const why = charge && (whys.get(id) ?? reasonOf(charge, asked));
    return charge === undefined || why === undefined || !isSeen(seen, charge) ? [] : [{ charge, why }];
  });
  return { hits: found.slice(0, MAX_FOUND), isCut: found.length < MAX_FOUND && texts.isCut };
}

async function findExactly(db: Queryable, seen: Seen, asked: SearchText): Promise<Found[]> {
  const { merchantId } = seen;
  const { address, token, ends, sender, amounts } = asked;
  const units = amounts.flatMap((amount) => parseAmount(amount) ?? []);
  const as = (why: SearchReason) => (ids: readonly ChargeId[]) => ids.map((id): Found => ({ id, why }));
  return [
    ...(await findByIndex(db, seen, asked)),
    ...(token === undefined ? [] : await findByToken(db, merchantId, token)),
    ...(address === undefined ? [] : await findByAddress(db, merchantId, address)),
    ...(sender === undefined ? [] : await findByTerms(db, seen, [senderTerm(sender)]).then(as("sender"))),
    ...(ends === undefined ? [] : await findByEnds(db, seen, ends)),
    ...(units.length === 0
      ? []
      : [
          ...(await findByTerms(db, seen, amounts.map(amountTerm)).then(as("amount"))),
          ...(await findAmongNewest(db, seen, { units, decimals: amounts }).then(as("amount"))),
        ]),
  ];
}

async function findByTexts(db: Queryable, seen: Seen, { whole, words }: SearchText): Promise<Candidates> {
  const references =
    whole === undefined
      ? []
      : [...(await findByTerms(db, seen, [whole])), ...(await findByBeginning(db, seen, whole))];
  const { ids, isCut } = words.length === 0 ? NONE : await findByWords(db, seen, words);
  return { ids: [...references, ...ids], isCut };
}

/** The field that has the searched words; undefined if none has. */
function reasonOf(charge: Charge, { whole, words }: SearchText): SearchReason | undefined {
  const begins = (reference: string | null) =>
    whole !== undefined && wholeTerm(reference ?? "")?.startsWith(whole) === true;
  if (begins(charge.orderRef)) return "order reference";
  if (begins(charge.customerRef)) return "customer";
  return fieldWithWords(charge, words);
}
