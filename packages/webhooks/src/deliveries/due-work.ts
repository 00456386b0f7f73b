import type { MerchantId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { hungServer } from "@daric/postgres/tenants";
import { readAnsweringMerchants } from "@daric/runtime/answering-store";
import { inMerchantLists } from "@daric/runtime/fair-rounds";
import { type DueWork, findDueWork, MERCHANTS_AT_ONCE } from "../queue/queue-store.ts";

type Turn = { readonly after: MerchantId | undefined; readonly busy: readonly MerchantId[] };

/** Finds the due work of all merchants as {@link findDueWork} does; while a server hangs, of those of the other servers alone. */
export async function findWork(db: Queryable, turn: Turn): Promise<DueWork> {
  if (hungServer() === undefined) return findDueWork(db, turn);
  const found: DueWork[] = [];
  for (const list of inMerchantLists(await readAnsweringMerchants(db)))
    found.push(await findDueWork(db, { ...turn, of: list.map(({ merchantId }) => merchantId) }));
  const placed = found
    .flatMap(({ merchantIds }) => merchantIds)
    .map((id) => ({ id, place: placeOf(id, turn) }));
  const inTurn = placed.toSorted((left, right) => (left.place < right.place ? -1 : 1)).map(({ id }) => id);
  const nextMs = Math.min(...found.map((work) => work.nextMs ?? Infinity));
  return {
    merchantIds: inTurn.slice(0, MERCHANTS_AT_ONCE),
    nextMs: nextMs === Infinity ? undefined : nextMs,
  };
}

/** A text that sorts as `findDueWork` does. */
function placeOf(id: MerchantId, { after, busy }: Turn): string {
  return `${Number(busy.includes(id))}${Number(after !== undefined && id <= after)}${id}`;
}
