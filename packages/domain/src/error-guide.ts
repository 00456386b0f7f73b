import type { ApiErrorCode } from "./errors.ts";

type Advice = {
  readonly cause: string;
  readonly cure: string;
};

/** The cause and the cure of each error code: the content of the page of errors. */
export const errorGuide = {
  EXPECTED_AMOUNT_REQUIRED: {
    cause: "In this account the payer pays the fee, which needs an amount.",
    cure: "Send a positive amount. A standing receive address (`reusable: true`) needs none.",
  },
  USD_AMOUNT_REQUIRED: {
    cause: "The price is in USD (`pricingCurrency`), but there is no positive amount to convert.",
    cure: 'Send `amount` in USD with at most 2 decimals, such as "25.00".',
  },
  FIAT_AMOUNT_REQUIRED: {
    cause:
      "The price is in a currency other than USD (`pricingCurrency`), but there is no positive amount to convert.",
    cure: 'Send `amount` in that currency, with no more decimals than it has, such as "25.00" for EUR and "2500" for JPY.',
  },
  RATE_UNAVAILABLE: {
    cause:
      "Too few rate sources agree on a fresh rate, and Daric never uses a stale one. Some currencies rest while the exchange markets are closed, from Friday to Sunday 17:00 in New York.",
    cure: "Send the request again after the seconds in `Retry-After`, or price the order in USDT. `GET /v1/currencies` says whether a currency rests.",
  },
  MAX_ACTIVE_ADDRESSES: {
    cause:
      "The merchant has as many active addresses as the operator allows. For a new `customerRef`, the limit of standing addresses counts.",
    cure: "Archive orders that are no longer needed, wait until some expire, or ask the operator for a higher limit.",
  },
  SETTLEMENT_ACCOUNT_NOT_FOUND: {
    cause: "`settlementAccountId` names no settlement account of this merchant.",
    cure: "Send the id of one of your own accounts, or leave the field out to use the default one.",
  },
  NO_SETTLEMENT_ACCOUNT: {
    cause: "A reusable address needs an active settlement account, and the merchant has none.",
    cure: "Ask the operator to add one (`daric settlement-account add`).",
  },
  INVALID_WEBHOOK_URL: {
    cause: "Webhooks may go to public hosts only. This host has at least one address that is not public.",
    cure: "Use a public http or https URL. For a host in your own network, the operator adds it to `WEBHOOK_ALLOW_TARGETS`.",
  },
  INVALID_EVENT_TYPE: {
    cause: "A name in `eventTypes` is no event that you can subscribe to. `details` names it.",
    cure: "Use the names in the message exactly as written.",
  },
  INVALID_JSON: {
    cause:
      "The body is empty, is not JSON in UTF-8, is nested deeper than 8, has a forbidden key, or repeats a key in one object.",
    cure: "Look at the place that the message names. If there is nothing to say, send `{}`.",
  },
  UNAUTHORIZED: {
    cause:
      "The header `X-Api-Key` is missing, its text has not the form of a key, or the key is unknown, expired or revoked. The answer does not say which of the last three.",
    cure: "Send the whole key exactly as it was shown. If that does not help, ask the operator for a new one.",
  },
  WRONG_ENVIRONMENT: {
    cause: "A test key was sent to a live service, or a live key to a test service.",
    cure: "Change the key or the base URL: each environment has its own.",
  },
  INSUFFICIENT_SCOPE: {
    cause: "The key is valid but lacks a scope. The message names it.",
    cure: "Use a key with that scope, or ask the operator for one.",
  },
  NOT_FOUND: {
    cause:
      "No row of this merchant has the id in the path: it never existed, was deleted, or belongs to another merchant. Or the API has no such path; the message then says so.",
    cure: "Compare the id with the one from create, and the key with its merchant.",
  },
  METHOD_NOT_ALLOWED: {
    cause: "The path exists, but not with this method.",
    cure: "Use one of the methods in the header `Allow`.",
  },
  ORDER_ALREADY_PAID: {
    cause: "The order is paid, so it can no longer change.",
    cure: "Read it: it has the received money. Create a new order for a new payment.",
  },
  PAYMENT_IN_PROGRESS: {
    cause: "A payment of this order was seen and is not final yet.",
    cure: "Wait until it is confirmed or has failed, about a minute.",
  },
  ORDER_NOT_EXPIRED: {
    cause: "The test case `late` needs an expired order. This one can still be paid in time, or never ends.",
    cure:
      "Ask again when the `status` of the row is EXPIRED, about a minute after `expires_at`. Give a test merchant short orders: " +
      "`daric merchant update <id> --order-lifetime 30s`.",
  },
  ORDER_CLOSED: {
    cause: "The order has expired or is archived.",
    cure: "Create a new order. Payments to the old one are still credited and announced.",
  },
  NOTHING_RECEIVED: {
    cause: "Only an order with confirmed money can be accepted, or has a rest to ask for.",
    cure: "Wait until a payment is confirmed.",
  },
  PAYLOAD_TOO_LARGE: {
    cause: "The body has more than 64 kB.",
    cure: "Send less: no operation needs a hundredth of it.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: "The `Content-Type` of the body is not `application/json`, or the body is compressed.",
    cure: "Send JSON in UTF-8 with `Content-Type: application/json` and no `Content-Encoding`.",
  },
  LINK_CLOSED: {
    cause:
      "The payment link is paused, past its end, or closed by the operator, or its merchant takes no new orders.",
    cure: "Give the payer another link. Orders that exist can still be paid.",
  },
  REFUND_CLOSED: {
    cause:
      "The refund is on the chain, paid or canceled; or its claim link took an address, expired, refused ten addresses, or was replaced by a newer one.",
    cure: "The merchant asks again (`POST /v1/refunds/{id}/ask-again`), which makes a new link while nothing is paid.",
  },
  REFUND_REF_TAKEN: {
    cause: "`refundRef` names one refund of your account for ever, and this one belongs to another order.",
    cure: "Send a reference of your own for each refund.",
  },
  REFUND_EXCEEDS_RECEIVED: {
    cause:
      "Refunds of a coin that are not canceled may not add up to more than the order's confirmed money of that coin.",
    cure: "Ask for at most what `details` says is left, or leave `amount` out.",
  },
  EXPORT_TOO_LARGE: {
    cause: "An XLSX file has at most 100,000 rows, and a PDF statement at most 5,000 lines.",
    cure: "Narrow the range of time, or ask for `format=csv`, which has no limit.",
  },
  LINK_SOLD_OUT: {
    cause: "`max_payments` orders of the payment link are paid or open.",
    cure: "Wait until an open order expires, or raise `maxPayments` of the link.",
  },
  VALIDATION_ERROR: {
    cause: "Fields of the body, or parameters of the query, break a rule. `details` names all of them.",
    cure: "Correct each field in `details`. The same request would get the same answer.",
  },
  NOT_FIAT_PRICED: {
    cause: "The order is priced in the coin itself, so it has no rate to lock again.",
    cure: "Request a new quote only for orders that have a `fiat_currency`.",
  },
  SETTLEMENT_ACCOUNT_DISABLED: {
    cause: "The settlement account in the request is disabled.",
    cure: "Name an active account, or leave the field out to use the default one.",
  },
  TOO_MANY_ENDPOINTS: {
    cause: "The merchant has as many webhook endpoints as the operator allows.",
    cure: "Delete one that is not needed. One endpoint can subscribe to every event.",
  },
  CAP_REACHED: {
    cause:
      "There are as many notes, API keys, invitations, people or passkeys as can be. The message says which.",
    cure: "Revoke, withdraw or remove those that are not needed. Notes stay.",
  },
  NOT_RESENDABLE: {
    cause:
      "The delivery is a test, its endpoint is disabled or deleted, or its body is no longer stored. The message says which.",
    cure: "Send a new test instead of an old one, or enable the endpoint first. Read the facts of a lost body by `GET`.",
  },
  SIGN_IN_FAILED: {
    cause:
      "The e-mail address is unknown, its password is wrong, or its person is disabled. The answer does not say which. Of a passkey: it is unknown, or its answer came too late.",
    cure: "Try again, or ask the operator for a link to set a new password (`daric people reset`).",
  },
  CODE_REQUIRED: {
    cause: "The password is right, and the account has a second factor.",
    cure: "Send the same request with `code`: six digits of the app, or a recovery code.",
  },
  WRONG_CODE: {
    cause:
      "The code is not the app's, was used already, or is a recovery code that was used. After five wrong codes the next must wait, to five minutes at most.",
    cure: "Wait for the next code. Set the phone's clock by the network, or use a recovery code or a passkey.",
  },
  SESSION_ENDED: {
    cause:
      "There is no session: it was ended, was unused for 12 hours, is 14 days old, or its person lost a role or was disabled.",
    cure: "Sign in again, and send the request once more.",
  },
  CSRF_REFUSED: {
    cause: "A write of a session came from another site, or without the session's current `x-csrf-token`.",
    cure: "Send the newest `csrf_token` of the session. Behind a proxy, `PUBLIC_BASE_URL` must be the address in the browser.",
  },
  REAUTHENTICATION_REQUIRED: {
    cause: "Keys, wallets, second factors and roles need a proof that is at most five minutes old.",
    cure: "Call `POST /dashboard/v1/session/reauthenticate`, then send the same request again.",
  },
  SECOND_FACTOR_REQUIRED: {
    cause: "A live service lets a person without a second factor only set one up, and keeps the last one.",
    cure: "Set up an authenticator app or a passkey.",
  },
  MERCHANT_SUSPENDED: {
    cause:
      "The operator has suspended the merchant. Payments to existing orders are still credited and announced.",
    cure: "Ask the operator of the service for the reason, and what ends it.",
  },
  WALLET_NOT_CONFIRMED: {
    cause:
      "Keys beside the wallet's own have permissions on it, as `details` says, and `permissions` does not confirm these.",
    cure: "If you know these keys, send the request again with the `permissions` that the message names. Otherwise use another wallet.",
  },
  CHANGED_MEANWHILE: {
    cause: "The row was changed after `updatedAt`, by another person or the command line.",
    cure: "Read the row again, look at the difference, and send the change with its `updated_at`.",
  },
  LINK_NOT_VALID: {
    cause: "An invitation works once in 7 days, a reset once in 24 hours. A newer link ends the older one.",
    cure: "Ask for a new link where this one came from.",
  },
  SHOP_CODE_NOT_VALID: {
    cause:
      "A code connects one shop, within ten minutes. A newer one of the merchant ends it, and so does the loss of its maker's role.",
    cure: "Make a new code in the dashboard, at *Connect a shop*, and enter it at once.",
  },
  LAST_OWNER: {
    cause: "The last owner of a merchant cannot leave or take another role.",
    cure: "Make another member an owner first.",
  },
  RATE_LIMITED: {
    cause: "More requests came than the limit in the message allows.",
    cure:
      "Wait for the seconds in `Retry-After`, then continue. Every answer has `RateLimit-Remaining`, the requests that you may " +
      "send at once, and `RateLimit-Reset`, the seconds until that is `RateLimit-Limit` again.",
  },
  INTERNAL_ERROR: {
    cause: "The service has a fault. Its log names it under the `correlationId`.",
    cure: "Read the current state before you repeat the change, and give the operator the `correlationId`.",
  },
  SERVICE_UNAVAILABLE: {
    cause: "The database does not answer, a row is locked, or the service is overloaded.",
    cure:
      "Send reads again after the seconds in `Retry-After`, and also requests whose refusal says that nothing was done. " +
      "Before you repeat a create, look for its `orderRef`: it may have succeeded.",
  },
} as const satisfies Record<ApiErrorCode, Advice>;

/** The path of this code on the error page: `/docs/errors#not-found`. */
export function docPathOf(code: ApiErrorCode): string {
  return `/docs/errors#${code.toLowerCase().replaceAll("_", "-")}`;
}
