import { useSyncExternalStore } from "react";
import { pageContext } from "../api/call.ts";
import type { Membership, Session } from "../api/sign-in-operations.ts";
import { findChosen, keepChosen } from "./chosen-merchant.ts";

let session: Session | undefined;
const listeners = new Set<() => void>();

/** Keeps the session of the newest answer, and chooses the merchant that this tab was last used for. */
export function setSession(next: Session | undefined): void {
  session = next;
  pageContext.csrfToken = next?.csrf_token;
  pageContext.personId = next?.person.id;
  pageContext.merchantId = next && findChosen(next, pageContext.merchantId)?.merchant_id;
  for (const listener of listeners) listener();
}

/** Changes the merchant of this tab. */
export function chooseMerchant(id: string): void {
  keepChosen(id);
  pageContext.merchantId = id;
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
  return useSession()?.memberships.find(({ merchant_id }) => merchant_id === pageContext.merchantId);
}

/** Whether the role allows this, so that a page does not offer what would be refused. */
export function useMay(scope: string): boolean {
  return useMembership()?.scopes.includes(scope) ?? false;
}
