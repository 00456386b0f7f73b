/**
 * The folders of each workspace's sources, and what each imports of the others; `.` is the root. A folder imports only folders
 * above it, so that no arrow leads back; `*` is all of them. Tests import anything.
 */
export const rooms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tron: { ".": "", keys: "." },
  postgres: { scram: "", embedded: "scram", ".": "scram embedded" },
  devchain: {
    contract: "",
    ledger: "contract",
    chain: "contract ledger",
    http: "contract ledger chain",
    ".": "ledger chain http",
  },
  server: {
    domain: "",
    runtime: "domain",
    "checkout/messages": "runtime",
    totals: "domain",
    "webhooks/queue": "domain",
    "chain/blocks": "domain runtime",
    egress: "domain runtime",
    http: "domain runtime",
    alerts: "domain runtime egress",
    "chain/nodes": "domain runtime chain/blocks egress",
    "checkout/live": "domain runtime http",
    "dashboard/pages": "domain runtime http",
    ledger: "domain runtime http",
    people: "domain runtime http",
    "webhooks/events": "domain runtime totals webhooks/queue http",
    "webhooks/sending": "domain runtime egress",
    addresses: "domain runtime chain/blocks chain/nodes",
    "dashboard/audit": "domain runtime http people",
    "dashboard/live": "domain runtime http people",
    "people/members": "domain egress http people",
    "people/security": "domain http people",
    rates: "domain runtime chain/blocks egress chain/nodes",
    "webhooks/deliveries":
      "domain runtime totals webhooks/queue egress http webhooks/events webhooks/sending",
    "webhooks/endpoints": "domain runtime totals webhooks/queue egress webhooks/sending",
    lookup: "domain runtime totals chain/blocks chain/nodes addresses",
    charges: "domain runtime totals webhooks/events addresses",
    "charges/close": "domain runtime webhooks/events charges",
    "charges/quote": "domain runtime charges",
    "charges/create": "domain runtime totals addresses charges charges/quote",
    "charges/api": "domain runtime http charges charges/close charges/create",
    "checkout/lookup": "domain runtime http lookup",
    "dashboard/operator/people": "domain http people people/members",
    deployment: "domain runtime chain/blocks chain/nodes addresses",
    merchants: "domain runtime egress http chain/nodes addresses",
    "people/members/links": "http people people/members",
    "people/security/passkeys": "http people people/security",
    settlement: "domain runtime chain/blocks chain/nodes webhooks/events",
    "settlement/transactions": "domain chain/blocks settlement",
    "settlement/api": "domain totals http settlement settlement/transactions",
    "settlement/sweeps": "domain runtime ledger settlement settlement/transactions",
    "settlement/books": "domain runtime ledger webhooks/events settlement settlement/sweeps",
    "settlement/energy": "domain runtime addresses settlement settlement/transactions settlement/sweeps",
    "settlement/plan":
      "domain runtime chain/blocks chain/nodes ledger settlement settlement/sweeps settlement/energy",
    "settlement/offline":
      "domain chain/nodes addresses settlement settlement/transactions settlement/sweeps settlement/plan",
    "settlement/worker":
      "domain runtime chain/blocks chain/nodes addresses settlement settlement/transactions " +
      "settlement/sweeps settlement/books settlement/energy settlement/plan",
    "webhooks/receivers": "domain runtime http webhooks/deliveries webhooks/endpoints",
    "checkout/page": "domain runtime checkout/messages http chain/nodes charges",
    "dashboard/account": "domain runtime totals chain/blocks http chain/nodes people merchants",
    "dashboard/keys": "domain runtime http people merchants",
    "dashboard/payments": "domain totals http people charges charges/close charges/create charges/api",
    "dashboard/payments/story": "domain http charges dashboard/payments",
    deposits: "domain runtime totals chain/blocks http chain/nodes webhooks/events charges charges/quote",
    simulation: "domain runtime chain/blocks http chain/nodes charges",
    status: "domain runtime http chain/nodes rates deployment",
    webhooks:
      "domain runtime egress http webhooks/events webhooks/sending webhooks/deliveries webhooks/endpoints " +
      "webhooks/receivers",
    checkout:
      "domain runtime totals http chain/nodes checkout/live lookup charges charges/quote charges/create " +
      "checkout/lookup checkout/page",
    "dashboard/operator":
      "domain runtime http alerts chain/nodes people merchants settlement/worker dashboard/account status",
    "dashboard/search": "domain runtime http addresses lookup charges dashboard/payments",
    "deposits/record": "domain runtime chain/blocks addresses deposits",
    docs: "domain runtime http chain/nodes",
    "checkout/preview": "domain runtime checkout/messages http chain/nodes charges checkout/page checkout",
    "dashboard/work":
      "domain runtime http ledger people webhooks/events webhooks/sending dashboard/audit people/members " +
      "webhooks/deliveries webhooks/endpoints charges charges/api merchants settlement/api settlement/plan " +
      "dashboard/account dashboard/keys dashboard/payments deposits webhooks",
    "deposits/verify":
      "domain runtime chain/blocks chain/nodes ledger webhooks/events addresses charges charges/close " +
      "deposits deposits/record",
    "dashboard/operator/exports":
      "runtime http people/members dashboard/operator/people merchants dashboard/operator dashboard/work",
    "deposits/rescan": "domain runtime chain/blocks chain/nodes deposits deposits/record deposits/verify",
    doctor: "domain runtime chain/blocks chain/nodes addresses deposits deposits/verify deposits/rescan",
    "dashboard/operator/watch": "runtime http alerts deposits deposits/verify deposits/rescan",
    "deposits/follow":
      "domain runtime chain/blocks chain/nodes addresses deposits deposits/record deposits/verify " +
      "deposits/rescan",
    process: "*",
    ".": "*",
    cli: "*",
  },
  signer: { ".": "" },
  sdk: { ".": "" },
  checkout: { ".": "" },
  dashboard: {
    api: "",
    "words/en": "",
    "words/operator": "",
    words: "words/en words/operator",
    format: "api words",
    session: "api words",
    ui: "api words format session",
    "screens/account": "api words format session ui",
    "screens/branding": "api words format session ui",
    "screens/developers": "api words format session ui",
    "screens/home": "api words format session ui",
    "screens/inbox": "api words format session ui",
    "screens/link": "api words format session ui",
    "screens/operator": "api words format session ui",
    "screens/payments": "api words format session ui",
    "screens/settlement": "api words format session ui",
    "screens/sign-in": "api words format session ui",
    shell: "api words format session ui",
    ".": "*",
  },
  demo: { ".": "" },
};
