const USER_AGENT = "Daric-Webhooks/1";

/** For routing and debugging at the receiver; the signature does not cover them. */
export function unsignedHeaders(
  { deliveryId, attempt }: { readonly deliveryId: string; readonly attempt: number },
  eventType: string,
): Record<string, string> {
  return {
    "content-type": "application/json",
    "accept-encoding": "identity",
    "user-agent": USER_AGENT,
    "x-service-event": eventType,
    "x-service-delivery-id": deliveryId,
    "x-service-attempt": String(attempt),
  };
}

/** The time that the signature of an attempt covers, in Unix seconds. */
export function signedSeconds(attemptedAt: Date): number {
  return Math.floor(attemptedAt.getTime() / 1_000);
}
