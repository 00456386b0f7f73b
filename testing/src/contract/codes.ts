import { type ApiErrorCode, errorCatalog } from "@daric/server/domain/errors";
import type { ContractRow, Mutation, Proof } from "./contract-row.ts";

const CATALOGUE = "server/src/domain/errors.ts";
const LINE_WIDTH = 110;
const refusals = (title: string): Proof => ["server/src/service-tests/refusals.db.test.ts", title];
const http = (title: string): Proof => ["server/src/http/server.test.ts", title];
const signingIn = (title: string): Proof => ["server/src/people/sign-in.db.test.ts", title];
const ofMembers = (title: string): Proof => ["server/src/people/members/members.db.test.ts", title];
const ofAccount = (title: string): Proof => ["server/src/dashboard/account/routes.db.test.ts", title];
const operating = (title: string): Proof => ["server/src/dashboard/operator/routes.db.test.ts", title];
const attack = (title: string): Proof => ["server/src/service-tests/dashboard-attacks.db.test.ts", title];
const creating: Proof = ["server/src/charges/routes.db.test.ts", "each case of the contract with its code"];
const requoting = (title: string): Proof => ["server/src/checkout/requote.db.test.ts", title];

const settling: Proof = [
  "server/src/service-tests/contract-rules.db.test.ts",
  "is refused for the account, for every kind of charge, with or without a rate",
];
const atTheCap: Proof = [
  "server/src/service-tests/contract-rules.db.test.ts",
  "is refused for the cap before the missing rate",
];

/** The mutation that reports a refusal of the insert with another code. */
const misreported = (verdict: string, code: ApiErrorCode): Mutation => ({
  file: "server/src/charges/write-charge.ts",
  from: `${verdict}: "${code}"`,
  to: `${verdict}: "NO_SETTLEMENT_ACCOUNT"`,
});

/** The mutation that throws another code, with another status, in this file. */
function swapped(
  file: string,
  code: ApiErrorCode,
  around: readonly [before: string, after: string] = ["", ""],
) {
  const thrown = (name: string) => `${around[0]}new ApiError("${name}"${around[1]}`;
  const other = code === "NOT_FOUND" ? "ORDER_CLOSED" : "NOT_FOUND";
  return { file: `server/src/${file}`, from: thrown(code), to: thrown(other) } satisfies Mutation;
}

function codeRow(status: number, proof: Proof, mutations: readonly Mutation[] = []) {
  return { status, proof, mutations };
}

const rows: Readonly<Record<ApiErrorCode, { status: number; proof: Proof; mutations: readonly Mutation[] }>> =
  {
    EXPECTED_AMOUNT_REQUIRED: codeRow(422, creating, [
      swapped("charges/create-charge.ts", "EXPECTED_AMOUNT_REQUIRED"),
    ]),
    USD_AMOUNT_REQUIRED: codeRow(422, creating, [swapped("charges/create-charge.ts", "USD_AMOUNT_REQUIRED")]),
    RATE_UNAVAILABLE: codeRow(503, creating, [swapped("app.ts", "RATE_UNAVAILABLE")]),
    MAX_ACTIVE_ADDRESSES: codeRow(429, atTheCap, [
      misreported("NO_ROOM", "MAX_ACTIVE_ADDRESSES"),
      swapped("charges/preconditions.ts", "MAX_ACTIVE_ADDRESSES", ["", ")"]),
    ]),
    SETTLEMENT_ACCOUNT_NOT_FOUND: codeRow(404, settling, [
      misreported("SETTLEMENT_ACCOUNT_NOT_FOUND", "SETTLEMENT_ACCOUNT_NOT_FOUND"),
      swapped("charges/preconditions.ts", "SETTLEMENT_ACCOUNT_NOT_FOUND"),
    ]),
    SETTLEMENT_ACCOUNT_DISABLED: codeRow(422, settling, [
      misreported("SETTLEMENT_ACCOUNT_DISABLED", "SETTLEMENT_ACCOUNT_DISABLED"),
      swapped("charges/preconditions.ts", "SETTLEMENT_ACCOUNT_DISABLED"),
    ]),
    NO_SETTLEMENT_ACCOUNT: codeRow(422, creating, [
      swapped("charges/preconditions.ts", "NO_SETTLEMENT_ACCOUNT"),
    ]),
    INVALID_WEBHOOK_URL: codeRow(422, refusals("a webhook to a private address"), [
      swapped("egress/vet-target.ts", "INVALID_WEBHOOK_URL"),
    ]),
    INVALID_EVENT_TYPE: codeRow(422, refusals("an unknown event type"), [
      swapped("domain/check-event-types.ts", "INVALID_EVENT_TYPE"),
    ]),
    INVALID_JSON: codeRow(400, refusals("a body that is no JSON"), [
      swapped("http/parse-json.ts", "INVALID_JSON"),
    ]),
    UNAUTHORIZED: codeRow(401, refusals("an unknown key"), [
      swapped("http/authenticate.ts", "UNAUTHORIZED", ["", ");"]),
    ]),
    WRONG_ENVIRONMENT: codeRow(401, refusals("a live key on a test host"), [
      swapped("http/authenticate.ts", "WRONG_ENVIRONMENT"),
    ]),
    INSUFFICIENT_SCOPE: codeRow(
      403,
      ["server/src/charges/routes.db.test.ts", "a key without the scope, and vice versa"],
      [swapped("http/authenticate.ts", "INSUFFICIENT_SCOPE")],
    ),
    NOT_FOUND: codeRow(404, refusals("an unknown row"), [swapped("charges/routes.ts", "NOT_FOUND")]),
    METHOD_NOT_ALLOWED: codeRow(405, refusals("another method"), [
      swapped("http/unknown-route.ts", "METHOD_NOT_ALLOWED"),
    ]),
    ORDER_ALREADY_PAID: codeRow(409, requoting("once it is paid"), [
      swapped("charges/requote-charge.ts", "ORDER_ALREADY_PAID"),
    ]),
    PAYMENT_IN_PROGRESS: codeRow(409, requoting("while a payment is detected"), [
      swapped("charges/requote-charge.ts", "PAYMENT_IN_PROGRESS"),
    ]),
    ORDER_NOT_EXPIRED: codeRow(
      409,
      [
        "server/src/simulation/routes.db.test.ts",
        "is `late` before the order has expired, or for a receive address",
      ],
      [swapped("simulation/simulate-payment.ts", "ORDER_NOT_EXPIRED", ["\n  throw ", ""])],
    ),
    ORDER_CLOSED: codeRow(409, requoting("of an order whose time is over"), [
      swapped("charges/requote-charge.ts", "ORDER_CLOSED"),
    ]),
    NOT_FIAT_PRICED: codeRow(422, requoting("of an order that is not priced in fiat"), [
      swapped("charges/requote-charge.ts", "NOT_FIAT_PRICED"),
    ]),
    NOTHING_RECEIVED: codeRow(
      409,
      [
        "server/src/charges/routes.db.test.ts",
        "refuses by the codes of its rules, and finds no row of another merchant",
      ],
      [swapped("charges/accept-charge.ts", "NOTHING_RECEIVED")],
    ),
    PAYLOAD_TOO_LARGE: codeRow(413, refusals("a body of more than 64 kB")),
    UNSUPPORTED_MEDIA_TYPE: codeRow(415, http("a compressed body is UNSUPPORTED_MEDIA_TYPE"), [
      swapped("http/server.ts", "UNSUPPORTED_MEDIA_TYPE"),
    ]),
    VALIDATION_ERROR: codeRow(422, refusals("an amount that is a number"), [
      swapped("http/validate.ts", "VALIDATION_ERROR"),
    ]),
    TOO_MANY_ENDPOINTS: codeRow(
      422,
      [
        "server/src/webhooks/routes.db.test.ts",
        "exactly, also for concurrent requests; a deleted one frees a place and a disabled one does not",
      ],
      [swapped("webhooks/endpoints/create-endpoint.ts", "TOO_MANY_ENDPOINTS")],
    ),
    CAP_REACHED: codeRow(
      422,
      [
        "server/src/service-tests/caps.db.test.ts",
        "200 notes of a payment, but no decision and no other payment",
      ],
      [swapped("dashboard/payments/inbox.ts", "CAP_REACHED")],
    ),
    NOT_RESENDABLE: codeRow(
      422,
      [
        "server/src/webhooks/operations.db.test.ts",
        "is refused for a test, for a deleted endpoint and without a body",
      ],
      [swapped("webhooks/deliveries/resend-delivery.ts", "NOT_RESENDABLE")],
    ),
    SIGN_IN_FAILED: codeRow(401, signingIn("a disabled person and an ended session are out at once"), [
      swapped("people/sign-in.ts", "SIGN_IN_FAILED", ["person.isDisabled) throw ", ");"]),
    ]),
    CODE_REQUIRED: codeRow(
      401,
      signingIn("needs a second factor that is set up, and takes each code of the app once"),
      [swapped("people/prove-second-factor.ts", "CODE_REQUIRED")],
    ),
    WRONG_CODE: codeRow(401, signingIn("takes each recovery code once, in any case and spacing"), [
      swapped("people/prove-second-factor.ts", "WRONG_CODE", [
        "  throw ",
        ");\n}\n\nasync function proveTotp",
      ]),
    ]),
    SESSION_ENDED: codeRow(401, signingIn("a session that is %s has ended"), [
      swapped("http/session.ts", "SESSION_ENDED"),
    ]),
    CSRF_REFUSED: codeRow(403, attack("a write from another site is refused"), [
      swapped("http/session.ts", "CSRF_REFUSED", ["isOwn) throw ", ""]),
    ]),
    REAUTHENTICATION_REQUIRED: codeRow(
      403,
      signingIn(
        "an operation that needs a proof is refused five minutes after the last proof, until a new one",
      ),
      [swapped("http/session.ts", "REAUTHENTICATION_REQUIRED")],
    ),
    SECOND_FACTOR_REQUIRED: codeRow(
      403,
      signingIn("a live service lets a person without a second factor only set one up"),
      [swapped("http/session.ts", "SECOND_FACTOR_REQUIRED")],
    ),
    MERCHANT_SUSPENDED: codeRow(
      403,
      operating("a suspended merchant takes no new orders, and its others go on"),
      [swapped("charges/create-charge.ts", "MERCHANT_SUSPENDED")],
    ),
    CHANGED_MEANWHILE: codeRow(409, ofAccount("a stale form is refused, and names no field as wrong"), [
      swapped("merchants/change-merchant.ts", "CHANGED_MEANWHILE"),
    ]),
    WALLET_NOT_CONFIRMED: codeRow(
      409,
      ofAccount("a wallet that other keys may move is asked for only with a confirmation of these keys"),
      [swapped("merchants/add-settlement-account.ts", "WALLET_NOT_CONFIRMED")],
    ),
    LINK_NOT_VALID: codeRow(
      404,
      ofMembers("ends with a newer one, with its withdrawal, and after seven days"),
      [
        swapped("people/members/links.ts", "LINK_NOT_VALID", [
          "link === undefined) throw ",
          ");\n  const { email",
        ]),
      ],
    ),
    LAST_OWNER: codeRow(409, ofMembers("of the last owner stays; any other member may leave"), [
      swapped("people/members/members.ts", "LAST_OWNER"),
    ]),
    RATE_LIMITED: codeRow(429, refusals("of a key"), [swapped("http/rate-limit.ts", "RATE_LIMITED")]),
    INTERNAL_ERROR: codeRow(500, http("an unexpected error (%s) is a bare INTERNAL_ERROR")),
    SERVICE_UNAVAILABLE: codeRow(
      503,
      http("an unreachable database is SERVICE_UNAVAILABLE with Retry-After"),
      [
        {
          file: "server/src/http/error-translation.ts",
          from: 'return new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: DATABASE_RETRY_AFTER_SECONDS })',
          to: 'return new ApiError("SERVICE_UNAVAILABLE")',
        },
      ],
    ),
  };

/** Every refusal with its status. Its mutants change the status in the catalogue or the thrown code. */
export const contractCodes: readonly (ContractRow & { readonly code: string; readonly status: number })[] =
  Object.entries(rows).map(([code, { status, proof, mutations }]) => ({
    code,
    status,
    row: `${status} ${code}`,
    proof,
    mutations: [{ file: CATALOGUE, ...otherStatus(code, status) }, ...mutations],
  }));

/** The mutation of a code's status. The catalogue's entry has one line if it fits, else several. */
function otherStatus(code: string, status: number): Pick<Mutation, "from" | "to"> {
  const { message } = errorCatalog[code as ApiErrorCode];
  const isLong = `  ${code}: { status: ${status}, message: "${message}" },`.length > LINE_WIDTH;
  const entry = (httpStatus: number) => `  ${code}: {${isLong ? "\n    " : " "}status: ${httpStatus},`;
  return { from: entry(status), to: entry(status === 422 ? 400 : status + 1) };
}
