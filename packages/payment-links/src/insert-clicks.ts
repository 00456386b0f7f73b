import { type IssuingContext, insertUncounted } from "@daric/charges/create/write-charge";
import { ApiError } from "@daric/domain/errors";
import { idOf, type MerchantId, type PaymentLinkId } from "@daric/domain/ids";
import { type ClickRefusal, isBusy, paymentLinkStatus } from "@daric/domain/payment-link";
import type { Database, Transaction } from "@daric/postgres/sql";
import { API_ANSWER_MS, createBatches, type RunInBatch } from "@daric/runtime/batch";
import type { Clock } from "@daric/runtime/clock";
import { type KnownClicks, type LockedLink, lockLinks, readClicks } from "./click-store.ts";
import { createRefusingLinks, type RefusingLinks } from "./refusing-links.ts";

const RETRY_AFTER_SECONDS = 1;

type AddressedDraft = Parameters<IssuingContext["insertDraft"]>[0];
type InsertedCharge = Awaited<ReturnType<IssuingContext["insertDraft"]>>;

/** An order of a payment link, with its address. */
type ClickDraft = AddressedDraft & { readonly click: NonNullable<AddressedDraft["click"]> };

/** The clicks of a process. */
export type Clicks = {
  /** Inserts the order of a click as soon as those before it are. */
  readonly insert: RunInBatch<ClickDraft, InsertedCharge>;
  readonly refusing: RefusingLinks;
};

/**
 * Inserts orders of links. All clicks of a merchant that wait share one connection, whatever their number, so the merchant's keys
 * keep theirs.
 */
export function createClicks({ db, clock }: { readonly db: Database; readonly clock: Clock }): Clicks {
  const refusing = createRefusingLinks(clock);
  const insert = createBatches<ClickDraft, InsertedCharge>({
    run: (merchantId, drafts, ms) =>
      db
        .answeringWithin(ms)
        .forTenant(merchantId)
        .transaction((tx) =>
          insertClicks(tx, { merchantId: idOf("merchant", merchantId), refusing }, drafts),
        ),
    atOnce: 1,
    answerMs: API_ANSWER_MS,
    refusal: () => new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS }),
  });
  return { insert, refusing };
}

/** Inserts what the links' limits admit, under the locks of the links, and returns the results in the order of the drafts. */
async function insertClicks(
  tx: Transaction,
  { merchantId, refusing }: { readonly merchantId: MerchantId; readonly refusing: RefusingLinks },
  drafts: readonly ClickDraft[],
): Promise<readonly InsertedCharge[]> {
  const links = await lockLinks(tx, merchantId, [...new Set(drafts.map(({ click }) => click.linkId))]);
  const refusals = new Map<ClickDraft, ClickRefusal>();
  for (const [linkId, clicks] of byLink(drafts)) {
    const link = links.get(linkId);
    const admission = link && admissionTo(link, await readClicks(tx, { merchantId, link }, askedBy(clicks)));
    for (const draft of clicks) {
      const refusal = admission === undefined ? "LINK_CLOSED" : admission.admit(draft);
      if (refusal === undefined) continue;
      refusals.set(draft, refusal);
      refusing.note(linkId, admission?.refusalOfAll());
    }
  }
  const admitted = drafts.filter((draft) => !refusals.has(draft));
  const inserted = (await insertUncounted(tx, merchantId, admitted)).values();
  return drafts.map((draft) => {
    const refusal = refusals.get(draft);
    const { value } = refusal === undefined ? inserted.next() : { value: { refusal } };
    if (value === undefined) throw new Error("a draft without an outcome");
    return value;
  });
}

function byLink(drafts: readonly ClickDraft[]): Map<PaymentLinkId, ClickDraft[]> {
  const byId = new Map<PaymentLinkId, ClickDraft[]>();
  for (const draft of drafts) {
    const { linkId } = draft.click;
    const clicks = byId.get(linkId);
    if (clicks === undefined) byId.set(linkId, [draft]);
    else clicks.push(draft);
  }
  return byId;
}

function askedBy(drafts: readonly ClickDraft[]) {
  return {
    clients: drafts.map(({ click }) => click.client),
    attempts: drafts.flatMap(({ click }) => click.attempt ?? []),
  };
}

/** Admits the clicks of one transaction on a link one after another: each counts for those after it. */
function admissionTo(link: LockedLink, { counts, places, ...known }: KnownClicks) {
  const [attempts, openOfClients] = [new Set(known.attempts), new Map(known.openOfClients)];
  let admitted = 0;

  function refusalOf(openOfClient: number): ClickRefusal | undefined {
    const status = paymentLinkStatus(link, { paid: places.paid, open: places.open + admitted }, link.now);
    if (status === "sold_out") return "LINK_SOLD_OUT";
    if (status !== "active") return "LINK_CLOSED";
    const more = {
      openOfClient,
      openOfLink: counts.openOfLink + admitted,
      openOfMerchant: counts.openOfMerchant + admitted,
      newOfLink: counts.newOfLink + admitted,
    };
    return isBusy(more) ? "LINK_BUSY" : undefined;
  }

  return {
    /** why the link takes no click of any client */
    refusalOfAll: () => refusalOf(0),
    admit({ click }: ClickDraft): ClickRefusal | undefined {
      const client = click.client.toString("hex");
      const openOfClient = openOfClients.get(client) ?? 0;
      if (click.attempt !== null && attempts.has(click.attempt)) return "SAME_CLICK";
      const refusal = refusalOf(openOfClient);
      if (refusal !== undefined) return refusal;
      admitted += 1;
      openOfClients.set(client, openOfClient + 1);
      if (click.attempt !== null) attempts.add(click.attempt);
      return undefined;
    },
  };
}
