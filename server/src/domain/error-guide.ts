import type { ApiErrorCode } from "./errors.ts";

type Advice = {
  readonly cause: string;
  readonly cure: string;
};

/** The cause and the cure of each error code. The error page of the documentation is made from it. */
export const errorGuide = {
  EXPECTED_AMOUNT_REQUIRED: {
    cause: "The payer pays the fee in this account, and without an amount the fee cannot be worked out.",
    cure: "Send a positive amount. A standing receive address (`reusable: true`) needs none.",
  },
  USD_AMOUNT_REQUIRED: {
    cause: "The price is to be in USD (`pricingCurrency`), and there is no positive amount to convert.",
    cure: 'Send `amount` in USD with at most 2 decimals, such as "25.00".',
  },
  RATE_UNAVAILABLE: {
    cause: "Too few sources of rates agree on a fresh rate, and a stale one is never used.",
    cure: "Send the request again after the seconds in `Retry-After`, or price the order in USDT.",
  },
  MAX_ACTIVE_ADDRESSES: {
    cause:
      "The merchant has as many active addresses as the operator allows, or as many standing ones where a new `customerRef` is asked for.",
    cure: "Archive orders that are not wanted any more, wait until some expire, or ask the operator for a higher cap.",
  },
  SETTLEMENT_ACCOUNT_NOT_FOUND: {
    cause: "`settlementAccountId` names no settlement account of this merchant.",
    cure: "Send the id of an account of your own, or leave the field out to use the default one.",
  },
  NO_SETTLEMENT_ACCOUNT: {
    cause: "A reusable address needs an active settlement account, and the merchant has none.",
    cure: "Ask the operator to add one (`daric settlement-account add`).",
  },
  INVALID_WEBHOOK_URL: {
    cause:
      "Webhooks may be sent to public hosts only, and this one is not, or not everywhere it resolves to.",
    cure: "Use a public http or https URL. For a host inside your own network the operator adds it to `WEBHOOK_ALLOW_TARGETS`.",
  },
  INVALID_EVENT_TYPE: {
    cause: "A name in `eventTypes` is no event that can be subscribed to. `details` says which.",
    cure: "Use the names that the message lists, as they are written there.",
  },
  INVALID_JSON: {
    cause:
      "The body is empty, is not JSON in UTF-8, is nested deeper than 8, or holds a key that is not taken or that one " +
      "object says twice.",
    cure: "Look at the place that the message names. Where nothing has to be said, send `{}`.",
  },
  UNAUTHORIZED: {
    cause:
      "There is no key in the header `X-Api-Key`, its text is not in the form of a key, or the key is unknown, expired " +
      "or revoked. Which of the last three is not said.",
    cure: "Send the whole key as it was shown when it was made. Where that does not help, ask the operator for a new one.",
  },
  WRONG_ENVIRONMENT: {
    cause: "A test key was sent to a live service, or a live key to a test service.",
    cure: "Change the key or the base address: each environment has its own of both.",
  },
  INSUFFICIENT_SCOPE: {
    cause: "The key is right but may not do this. The message names the scope that it lacks.",
    cure: "Use a key with that scope, or ask the operator for one.",
  },
  NOT_FOUND: {
    cause:
      "No row of this merchant has the id in the path: it never had, it is gone, or it is another merchant's. Or the path " +
      "itself is none of the API's, which the message then says.",
    cure: "Compare the id with the one that create answered, and the key with the merchant it belongs to.",
  },
  METHOD_NOT_ALLOWED: {
    cause: "The path exists, and does not take this method.",
    cure: "Use one of the methods in the header `Allow`.",
  },
  ORDER_ALREADY_PAID: {
    cause: "The order is paid, so that nothing about it can be changed.",
    cure: "Read it: what was received is there. Create a new order for a new payment.",
  },
  PAYMENT_IN_PROGRESS: {
    cause: "A payment of this order was seen and is not final yet.",
    cure: "Wait until it is confirmed or has failed, which takes about a minute.",
  },
  ORDER_NOT_EXPIRED: {
    cause:
      "A payment is to come late (test case `late`), and the order can still be paid in time, or never ends.",
    cure:
      "Ask again when the row's `status` is EXPIRED, about a minute after `expires_at`. Give a test merchant short orders: " +
      "`daric merchant update <id> --order-lifetime 30s`.",
  },
  ORDER_CLOSED: {
    cause: "The order has expired or is archived.",
    cure: "Create a new order. What is paid to the old one is still credited and announced.",
  },
  NOTHING_RECEIVED: {
    cause: "Only what has received confirmed money can be accepted.",
    cure: "Wait until a payment is confirmed.",
  },
  PAYLOAD_TOO_LARGE: {
    cause: "The body has more than 64 kB.",
    cure: "Send less: no operation needs a hundredth of it.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: "A body was sent whose `Content-Type` is not `application/json`, or which is compressed.",
    cure: "Send JSON in UTF-8 with `Content-Type: application/json` and no `Content-Encoding`.",
  },
  VALIDATION_ERROR: {
    cause: "Fields of the body, or parameters of the query, break a rule. `details` names all of them.",
    cure: "Correct each field that `details` names. Sending the same again gives the same answer.",
  },
  NOT_FIAT_PRICED: {
    cause: "The order is priced in what is paid, so that there is no rate to lock again.",
    cure: "Ask for a new quote of orders with `pricingCurrency: USD` only.",
  },
  SETTLEMENT_ACCOUNT_DISABLED: {
    cause: "The settlement account that the request names does not take money any more.",
    cure: "Name an active account, or leave the field out to use the default one.",
  },
  TOO_MANY_ENDPOINTS: {
    cause: "The merchant has as many webhook endpoints as the operator allows.",
    cure: "Delete one that is not needed. One endpoint can subscribe to every event.",
  },
  NOT_RESENDABLE: {
    cause:
      "The delivery is a test, its endpoint is disabled or deleted, or its body is not kept any more. The message says which.",
    cure: "Send a new test instead of an old one, or enable the endpoint first. What is gone is read by `GET` instead.",
  },
  RATE_LIMITED: {
    cause: "More requests came than the limit that the message names.",
    cure:
      "Wait for the seconds in `Retry-After`, then go on. `RateLimit-Remaining` on every answer says how many may " +
      "come at once, and `RateLimit-Reset` in how many seconds it is all of `RateLimit-Limit` again.",
  },
  INTERNAL_ERROR: {
    cause: "The service has a fault. What it is stands in its log under the `correlationId`.",
    cure: "Read what you wanted to change before you send it again, and tell the operator the `correlationId`.",
  },
  SERVICE_UNAVAILABLE: {
    cause:
      "The database is away, what it takes is held by somebody else, or more is asked than can be answered in time.",
    cure:
      "Send a read again after the seconds in `Retry-After`, and whatever was refused with the words that nothing was done. " +
      "Before another create is sent again, look for its `orderRef`: it may have been done.",
  },
} as const satisfies Record<ApiErrorCode, Advice>;

/** The path of this code on the error page: `/docs/errors#not-found`. */
export function docPathOf(code: ApiErrorCode): string {
  return `/docs/errors#${code.toLowerCase().replaceAll("_", "-")}`;
}
