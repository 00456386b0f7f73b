import type { Database } from "@daric/postgres/sql";
import { ApiError } from "../domain/errors.ts";
import { idOf, type MerchantId } from "../domain/ids.ts";
import { createBatches } from "../runtime/batch.ts";
import { type ChargeDraft, countRoom, type InsertedCharge, insertCharges } from "./store.ts";

/** Says what became of a draft once that is certain. */
export type ChargeWriter = (draft: ChargeDraft) => Promise<InsertedCharge>;

const RETRY_AFTER_SECONDS = 1;

/**
 * Writes drafts as charges: those of one merchant that come at the same time in one statement. A merchant whose creates
 * are held up, as by its cap, holds up no other.
 */
export function createChargeWriter(db: Database): ChargeWriter {
  const write = createBatches<ChargeDraft, InsertedCharge>({
    run: (merchantId, drafts) => writeCharges(db, idOf("merchant", merchantId), drafts),
    // A second one would wait for the first all the same, on the row that keeps the cap.
    atOnce: 1,
    full: () => new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS }),
  });
  return (draft) => write(draft.merchantId, draft);
}

async function writeCharges(
  db: Database,
  merchantId: MerchantId,
  drafts: readonly ChargeDraft[],
): Promise<readonly InsertedCharge[]> {
  const tried = await insertCharges(db, merchantId, drafts);
  const crowded = drafts.filter((_, place) => tried[place]?.refusal === "NO_ROOM");
  if (crowded.length === 0) return tried;
  // Then nothing is written yet, and what follows is one transaction.
  const counted = await writeCounted(db, merchantId, crowded);
  const outcomes = new Map([...tried, ...counted].map((outcome) => [outcome.id, outcome]));
  return drafts.flatMap(({ id }) => outcomes.get(id) ?? []);
}

/** Counts what there is room for and writes so many, first come first served; the others are refused for good. */
async function writeCounted(
  db: Database,
  merchantId: MerchantId,
  drafts: readonly ChargeDraft[],
): Promise<readonly InsertedCharge[]> {
  return db.transaction(async (tx) => {
    const room = await countRoom(tx, merchantId);
    const counting = drafts.filter(({ kind }) => kind !== "receive");
    const refused = new Set(counting.slice(room).map(({ id }) => id));
    const fitting = drafts.filter(({ id }) => !refused.has(id));
    const inserted = fitting.length === 0 ? [] : await insertCharges(tx, merchantId, fitting);
    return [...inserted, ...[...refused].map((id) => ({ id, refusal: "NO_ROOM" as const }))];
  });
}
