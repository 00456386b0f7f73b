import type { PaymentLinkId } from "@daric/domain/ids";
import type { ClickRefusal } from "@daric/domain/payment-link";
import type { Clock } from "@daric/runtime/clock";

const REMEMBERED_MS = 1_000;
const MAX_REMEMBERED = 2_000;

/** The links that just refused a click and would refuse that of any client. A flood of clicks on one costs a transaction a second. */
export type RefusingLinks = {
  /** The refusal of any click on the link; undefined if it may take one. */
  of(id: PaymentLinkId): ClickRefusal | undefined;
  note(id: PaymentLinkId, refusal: ClickRefusal | undefined): void;
};

export function createRefusingLinks(clock: Clock): RefusingLinks {
  const noted = new Map<PaymentLinkId, { readonly refusal: ClickRefusal; readonly atMs: number }>();
  return {
    of: (id) => {
      const known = noted.get(id);
      return known && clock.monotonicMs() - known.atMs < REMEMBERED_MS ? known.refusal : undefined;
    },
    note: (id, refusal) => {
      if (refusal === undefined) return;
      if (noted.size >= MAX_REMEMBERED) noted.clear();
      noted.set(id, { refusal, atMs: clock.monotonicMs() });
    },
  };
}
