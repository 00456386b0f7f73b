import type { Membership, Session } from "../api/sign-in-operations.ts";

const CHOSEN = "daric.merchant";

/** The merchant that is in view, or else that of this tab, or else of the last tab, or else the first. */
export function findChosen({ memberships }: Session, inView?: string): Membership | undefined {
  for (const id of [inView, sessionStorage.getItem(CHOSEN), localStorage.getItem(CHOSEN)]) {
    const found = memberships.find(({ merchant_id }) => merchant_id === id);
    if (found !== undefined) return found;
  }
  return memberships[0];
}

/** Remembers the choice for this tab and for new ones. */
export function keepChosen(id: string): void {
  sessionStorage.setItem(CHOSEN, id);
  localStorage.setItem(CHOSEN, id);
}
