import { ApiError } from "@daric/domain/errors";
import type { EndpointId, MerchantId } from "@daric/domain/ids";

/** Far below the number of sockets of a process. */
const SLOTS = 16;
const PER_MERCHANT = 4;
/** A slot is held until the receiver responds, which is usually fast. */
const RETRY_AFTER_SECONDS = 1;

/**
 * The slots of test events in this process, apart from those of deliveries, since a test holds a request open. One
 * endpoint has one slot, and one merchant a quarter.
 */
export function createTestSlots() {
  const merchantOf = new Map<EndpointId, MerchantId>();

  function refuseWithoutSlot({ merchantId, id }: { merchantId: MerchantId; id: EndpointId }): void {
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    if (merchantOf.has(id))
      throw new ApiError("RATE_LIMITED", {
        message: `A test event to this endpoint is under way. Retry in ${retryAfterSeconds} s.`,
        retryAfterSeconds,
      });
    const heldSlots = [...merchantOf.values()].filter((holder) => holder === merchantId).length;
    if (heldSlots >= PER_MERCHANT)
      throw new ApiError("RATE_LIMITED", {
        message: `${PER_MERCHANT} test events are under way, the most at a time. Retry in ${retryAfterSeconds} s.`,
        retryAfterSeconds,
      });
    if (merchantOf.size >= SLOTS) throw new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds });
  }

  return {
    /**
     * Holds a slot during the work. @throws RATE_LIMITED when the endpoint's or merchant's share is used;
     * SERVICE_UNAVAILABLE when all are.
     */
    hold: async <T>(
      endpoint: { merchantId: MerchantId; id: EndpointId },
      work: () => Promise<T>,
    ): Promise<T> => {
      refuseWithoutSlot(endpoint);
      merchantOf.set(endpoint.id, endpoint.merchantId);
      try {
        return await work();
      } finally {
        merchantOf.delete(endpoint.id);
      }
    },
  };
}
