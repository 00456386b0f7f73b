import { useSyncExternalStore } from "react";
import { ties } from "../api/call.ts";
import type { Membership, Session } from "../api/sign-in-operations.ts";

const CHOSEN = "daric.merchant";

let session: Session | undefined;
const listeners = new Set<() => void>();

/** Keeps the session of the newest answer, and chooses the merchant that this tab was last used for. */
export function setSession(next: Session | undefined): void {
  session = next;
  ties.csrfToken = next?.csrf_token;
  ties.merchantId = next && chosenOf(next)?.merchant_id;
  for (const listener of listeners) listener();
}

/** The merchant of this tab, or else of the last tab, or else the first. */
function chosenOf({ memberships }: Session): Membership | undefined {
  const wanted = [ties.merchantId, sessionStorage.getItem(CHOSEN), localStorage.getItem(CHOSEN)];
  for (const id of wanted) {
    const found = memberships.find(({ merchant_id }) => merchant_id === id);
    if (found !== undefined) return found;
  }
  return memberships[0];
}

/** Changes the merchant of this tab. */
export function chooseMerchant(id: string): void {
  sessionStorage.setItem(CHOSEN, id);
  localStorage.setItem(CHOSEN, id);
  ties.merchantId = id;
  if (session !== undefined) setSession({ ...session });
}

/** The session outside of a component. */
export function currentSession(): Session | undefined {
  return session;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session, once the person is signed in. */
export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribe, currentSession);
}

/** The person's part in the chosen merchant; undefined for an operator without one. */
export function useMembership(): Membership | undefined {
  return useSession()?.memberships.find(({ merchant_id }) => merchant_id === ties.merchantId);
}

/** Whether the role allows this, so that a page does not offer what would be refused. */
export function useMay(scope: string): boolean {
  return useMembership()?.scopes.includes(scope) ?? false;
}
