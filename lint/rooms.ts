/**
 * The table of allowed imports. It is the source of the import rules in biome.json (`npm run generate`), the
 * violations that `npm run check:violations` plants, and the matrix that `npm run imports` prints.
 *
 * A room is a folder of code: `server/domain` is `server/src/domain`. It may import its own files, the listed
 * folders and files of its workspace, and the listed exports of others (`tron/address` is
 * `@daric/tron/address`). Tests have no import rules.
 */
export type Room = {
  readonly may: readonly string[];
  /** Whether `routes.ts` and `schema.ts`, and no other file, import `server/http` too. */
  readonly speaksHttp?: true;
  /** The allowed packages and Node modules, if fewer than its package.json declares. */
  readonly packages?: readonly string[];
  /** The reason of the rule, shown with a violation. */
  readonly why: string;
};

/** The base of every feature. */
const base = ["server/domain", "server/totals", "postgres/sql", "postgres/tenants"];
/** A room declares its settings and its context with these. */
const declaring = ["server/runtime/context.ts", "server/runtime/setting.ts"];
const chain = ["server/chain/blocks", "server/chain/nodes"];
const tron = (...names: string[]) => names.map((name) => `tron/${name}`);

/** The packages of the dashboard's pages. */
const browser = ["react", "react-dom/**", "@tanstack/react-query", "@tanstack/react-router", "@tanstack/react-virtual", "uqr"];
/** The pages of the dashboard. */
const screens = [
  "sign-in",
  "payments",
  "inbox",
  "home",
  "developers",
  "link",
  "settlement",
  "branding",
  "account",
  "operator",
];

export const rooms: Readonly<Record<string, Room>> = {
  tron: {
    may: [],
    packages: ["node:crypto", "@noble/**", "@scure/**"],
    why: "tron is bytes: it knows no network, no clock and nothing of ours",
  },
  "tron/keys": {
    may: ["tron"],
    packages: ["@scure/**"],
    why: "private keys stand apart from all that the service loads",
  },
  postgres: { may: ["postgres/embedded", "postgres/scram"], why: "postgres knows no table" },
  "postgres/embedded": { may: ["postgres/scram"], why: "the launcher knows no client and no table" },
  "postgres/scram": {
    may: [],
    packages: ["node:crypto"],
    why: "what is stored of a password knows no server",
  },

  "devchain/bin": { may: ["devchain/dist/main.js"], why: "a bin only starts the program" },
  devchain: {
    may: ["devchain/chain", "devchain/http", "devchain/ledger", "tron/address"],
    why: "devchain stands on tron alone",
  },
  "devchain/contract": { may: ["tron/abi"], why: "a contract knows no chain" },
  "devchain/ledger": {
    may: [
      "devchain/contract",
      ...tron(
        "address",
        "contract-result",
        "contract-shapes",
        "contract-types",
        "message",
        "signature",
        "transaction",
      ),
    ],
    why: "the ledger runs one transaction on a state, and knows no block",
  },
  "devchain/chain": {
    may: [
      "devchain/contract",
      "devchain/ledger",
      ...tron("abi", "block", "contract-shapes", "hash", "signature", "transaction"),
    ],
    why: "the chain does not know how it is asked",
  },
  "devchain/http": {
    may: [
      "devchain/chain",
      "devchain/contract",
      "devchain/ledger",
      ...tron(
        "abi",
        "address",
        "block",
        "contract-shapes",
        "contract-types",
        "hash",
        "message",
        "transaction",
      ),
    ],
    why: "http asks the chain, and steers what it is handed",
  },

  "server/bin": { may: ["server/dist/cli/daric.js"], why: "a bin only starts the program" },
  server: {
    may: [
      "server/process",
      "server/domain",
      "server/runtime",
      "server/http",
      "server/deployment",
      "server/addresses",
      "server/merchants",
      "server/people",
      "server/people/security",
      "server/people/members",
      "server/dashboard/pages",
      "server/charges",
      "server/ledger",
      "server/settlement",
      "server/deposits",
      "server/deposits/follow",
      "server/rates",
      "server/webhooks",
      "server/webhooks/deliveries",
      "server/checkout",
      "server/simulation",
      "server/doctor",
      "server/docs",
      "server/status",
    ],
    why: "the parts meet here, the command line stands above, and nothing of demo, devchain or testing ships",
  },
  "server/process": {
    may: [
      "server/domain",
      "server/chain/nodes",
      "server/runtime",
      "server/egress/settings.ts",
      "server/http",
      "server/deployment",
      ...[
        "addresses",
        "charges",
        "checkout",
        "deposits",
        "doctor",
        "rates",
        "settlement",
        "webhooks/deliveries",
      ].flatMap((room) => [`server/${room}/metrics.ts`, `server/${room}/settings.ts`]),
      "server/merchants/settings.ts",
      "server/people/settings.ts",
      "server/webhooks/endpoints/settings.ts",
      "server/webhooks/events/settings.ts",
      "server/webhooks/sending/settings.ts",
      "postgres/database",
    ],
    why: "a process has one configuration, log, registry of metrics and pool per role; it starts no feature",
  },
  "server/domain": { may: [], packages: [], why: "domain is pure: it imports only itself" },
  "server/chain/blocks": {
    may: [
      "server/domain",
      "server/runtime/worker-rpc-server.ts",
      "server/runtime/worker-rpc-client.ts",
      "server/runtime/logger.ts",
      ...tron(
        "abi",
        "address",
        "block",
        "contract-result",
        "hash-transaction",
        "merkle",
        "packed-addresses",
        "protobuf",
        "read-raw-data",
      ),
    ],
    why: "blocks are parsed, proven and decoded here, and no node is asked",
  },
  "server/chain/nodes": {
    may: ["server/domain", "server/runtime/setting.ts", "server/chain/blocks", ...tron("abi", "address")],
    why: "nodes are asked here, and no merchant is known",
  },
  "server/totals": {
    may: ["server/domain", "postgres/sql"],
    why: "totals and sums are kept by the statement that changes the rows, of whichever feature; they know no verb",
  },
  "server/ledger": {
    may: ["server/domain", "server/runtime/derived-id.ts", "server/runtime/context.ts", "postgres/sql"],
    speaksHttp: true,
    why: "the ledger is written in the transaction of the change that it books, of whichever feature; it calls none",
  },
  "server/settlement": {
    may: [
      "server/domain",
      "server/totals",
      "server/runtime",
      ...chain,
      "server/ledger/book-settlement.ts",
      "server/addresses/address-hash.ts",
      "server/addresses/gas-wallet-store.ts",
      "server/webhooks/events/context.ts",
      "server/webhooks/events/enqueue-events.ts",
      "postgres/sql",
      ...tron("abi", "address"),
    ],
    speaksHttp: true,
    why: "settlement plans, asks the signer and follows the chain; it holds no key and reads the books of others",
  },
  "server/runtime": {
    may: ["postgres/sql", "postgres/tenants", "postgres/errors"],
    why: "runtime knows no feature",
  },
  "server/egress": {
    may: ["server/domain", "server/runtime/setting.ts"],
    why: "egress dials for every room, guards each address, and knows no table and no feature",
  },
  "server/http": {
    may: ["server/domain", "server/runtime", "postgres/errors"],
    why: "http knows no feature; app.ts hands it what it needs",
  },
  "server/merchants": {
    may: [
      ...base,
      "server/addresses",
      "server/runtime",
      "server/chain/blocks/node-error.ts",
      "server/chain/nodes/ask-account.ts",
      "server/chain/nodes/ask-quorum.ts",
      "server/chain/nodes/chain-reader.ts",
      "server/chain/nodes/networks.ts",
      "server/egress",
      "tron/address",
    ],
    speaksHttp: true,
    why: "merchants calls no other feature; a logo is fetched through egress, a wallet is vetted by nodes",
  },
  "server/dashboard/pages": {
    may: ["server/domain"],
    packages: ["node:fs", "node:module", "node:path", "fastify", "zod"],
    speaksHttp: true,
    why: "the pages of the dashboard are files: they read no table, and speak to the API as a browser",
  },
  "server/people": {
    may: ["server/domain", "server/runtime", "postgres/sql"],
    speaksHttp: true,
    why: "people knows who is signed in, and calls no feature; names of merchants it reads itself",
  },
  "server/people/security": {
    may: ["server/domain", "server/people"],
    speaksHttp: true,
    why: "what people change about their own sign-in stands on people alone",
  },
  "server/people/members": {
    may: ["server/domain", "server/people", "postgres/sql"],
    speaksHttp: true,
    why: "who belongs to a merchant, and the links that make it so, stand on people alone",
  },
  "server/webhooks": {
    may: [
      "server/domain",
      "server/runtime",
      "server/egress/guarded-dial.ts",
      "server/webhooks/endpoints",
      "server/webhooks/deliveries",
      "server/webhooks/sending",
    ],
    speaksHttp: true,
    why: "webhooks calls no other feature",
  },
  "server/webhooks/endpoints": {
    may: [...base, ...declaring, "server/egress", "server/webhooks/sending", "server/webhooks/queue"],
    why: "the target of an endpoint is vetted by egress; an endpoint knows no delivery",
  },
  "server/webhooks/deliveries": {
    may: [
      ...base,
      "server/runtime",
      "server/egress/guarded-dial.ts",
      "server/webhooks/events",
      "server/webhooks/queue",
      "server/webhooks/sending",
      "postgres/errors",
    ],
    speaksHttp: true,
    why: "deliveries carry events by what sends, and call no other feature",
  },
  "server/webhooks/events": {
    may: [
      ...base,
      ...declaring,
      "server/runtime/duration.ts",
      "server/runtime/derived-id.ts",
      "server/runtime/fair-rounds.ts",
      "server/runtime/mac.ts",
      "server/webhooks/queue",
    ],
    why: "an event is worded and stored here, and knows nothing of how it is sent",
  },
  "server/webhooks/queue": {
    may: base,
    why: "the queue says whose turn it is, and knows neither what is sent nor how",
  },
  "server/webhooks/sending": {
    may: ["server/domain", ...declaring, "server/egress"],
    why: "sending signs and posts through egress, and knows no table",
  },
  "server/addresses": {
    may: [
      ...base,
      ...chain,
      "server/runtime",
      "postgres/errors",
      ...tron("account-xpub", "address", "packed-addresses"),
    ],
    why: "addresses derives and watches, and knows no feature",
  },
  "server/rates": {
    may: [
      "server/domain",
      "server/runtime",
      "server/egress",
      "server/chain/nodes/networks.ts",
      "server/chain/blocks/node-error.ts",
      "server/chain/blocks/parse-json.ts",
      "server/chain/blocks/read-json.ts",
      "server/chain/nodes/settings.ts",
      "postgres/sql",
      "postgres/errors",
    ],
    why: "rates says what a currency is worth, asks markets through egress, and knows no order",
  },
  "server/charges": {
    may: [
      ...base,
      "server/addresses",
      "server/runtime",
      "server/webhooks/events/context.ts",
      "server/webhooks/events/enqueue-events.ts",
    ],
    speaksHttp: true,
    why: "charges enqueues events and calls no other feature",
  },
  "server/deposits": {
    may: [
      ...base,
      "server/addresses",
      "server/runtime",
      ...chain,
      "server/webhooks/events/enqueue-events.ts",
      "server/charges/context.ts",
      "server/charges/charge.ts",
      "server/charges/charge-event-data.ts",
      "server/charges/find-applicable-quotes.ts",
    ],
    speaksHttp: true,
    why: "what every room of deposits stands on: tables, events, what a step is handed",
  },
  "server/deposits/follow": {
    may: [
      "server/domain",
      "server/addresses",
      "server/runtime",
      ...chain,
      "server/deposits",
      "server/deposits/record",
      "server/deposits/verify",
      "server/deposits/rescan/rescan-worker.ts",
      "postgres/sql",
      "postgres/tenants",
      "postgres/errors",
    ],
    why: "follow reads the chain block after block, and hands each on to be recorded and verified",
  },
  "server/deposits/record": {
    may: [
      "server/domain",
      "server/addresses",
      "server/runtime",
      "server/chain/blocks",
      "server/deposits",
      "postgres/sql",
      "postgres/tenants",
      ...tron("address", "packed-addresses"),
    ],
    why: "record writes what one block pays us, and asks no node",
  },
  "server/deposits/verify": {
    may: [
      "server/domain",
      "server/addresses/index-guard.ts",
      "server/addresses/owner-finder.ts",
      "server/runtime",
      ...chain,
      "server/deposits",
      "server/deposits/record",
      "server/webhooks/events/enqueue-events.ts",
      "server/ledger/book-deposits.ts",
      "server/ledger/book-outflows.ts",
      "server/charges/charge.ts",
      "server/charges/settle-orders.ts",
      "server/charges/close-charges.ts",
      "postgres/sql",
    ],
    why: "verify decides what is true of a solid block, and what follows from it",
  },
  "server/deposits/rescan": {
    may: [
      "server/domain",
      "server/runtime",
      ...chain,
      "server/deposits",
      "server/deposits/record",
      "server/deposits/verify",
      "postgres/sql",
    ],
    why: "a rescan records and verifies a range again by the same rule, with a cursor of its own",
  },
  "server/checkout": {
    may: [
      ...base,
      ...declaring,
      "server/runtime/batch.ts",
      "server/runtime/fair-rounds.ts",
      "server/runtime/wake-ups.ts",
      "server/chain/nodes/networks.ts",
      "server/checkout/live",
      "server/checkout/page",
      "server/checkout/lookup",
      "server/checkout/messages",
      "server/charges/charge.ts",
      "server/charges/checkout-token.ts",
      "server/charges/context.ts",
      "server/charges/requote-charge.ts",
      "server/charges/shown-address.ts",
    ],
    speaksHttp: true,
    why: "checkout reads charges and has them requoted, and calls no other feature",
  },
  "server/checkout/lookup": {
    may: [
      ...base,
      "server/runtime/context.ts",
      "server/chain/nodes/chain-reader.ts",
      "server/chain/nodes/networks.ts",
      "server/chain/blocks/node-error.ts",
      "server/chain/blocks/node-transaction.ts",
      "tron/address",
    ],
    speaksHttp: true,
    why: "a look-up reads deposits and asks nodes, and knows no page and no other order",
  },
  "server/checkout/page": {
    may: [
      "server/domain",
      ...declaring,
      "server/chain/nodes/networks.ts",
      "server/charges/charge.ts",
      "server/checkout/messages",
      "server/runtime/html.ts",
      "postgres/errors",
    ],
    speaksHttp: true,
    why: "a page is made of its input alone, without a query",
  },
  "server/checkout/live": {
    may: ["server/domain", ...declaring],
    speaksHttp: true,
    why: "sockets and the poller do not know what a page shows: checkout hands them how to read it",
  },
  "server/docs": {
    may: [
      "server/domain",
      "server/chain/nodes/networks.ts",
      "server/http",
      "server/webhooks/sent-webhooks.ts",
    ],
    packages: ["node:fs", "fastify", "fastify-type-provider-zod", "@fastify/swagger"],
    why: "docs describes the API from its routes, serves that and the built pages, and calls no feature",
  },
  "server/checkout/messages": { may: [], packages: [], why: "words know neither markup nor money" },
  "server/status": {
    may: ["server/domain", ...chain, "server/runtime", "server/deployment", "server/rates/keep-rates.ts"],
    speaksHttp: true,
    why: "the page for operators shows how a process is: it reads, and writes nothing",
  },
  "server/simulation": {
    may: [
      "server/domain",
      "server/runtime/context.ts",
      ...chain,
      "server/charges/charge.ts",
      "server/charges/checkout-token.ts",
      "postgres/sql",
    ],
    speaksHttp: true,
    why: "a test pays on the chain like anybody: it reads charges and writes nothing",
  },
  "server/deployment": {
    may: [
      ...base,
      "server/addresses",
      ...chain,
      "server/runtime",
      "postgres/errors",
      "postgres/grants",
      "postgres/migrate",
      "postgres/role-defaults",
      "tron/account-xpub",
    ],
    why: "deployment knows no feature",
  },
  "server/doctor": {
    may: [
      "server/domain",
      "server/runtime",
      ...chain,
      "server/addresses/address-hash.ts",
      "server/deposits/record/match-transfers.ts",
      "server/deposits/verify/agree.ts",
      "postgres/sql",
      "postgres/tenants",
      ...tron("account-xpub", "address", "packed-addresses"),
    ],
    why: "what must hold of the tables of every feature is asked in one place, which reads, and judges nodes by the rule of the deposits",
  },
  "server/cli": {
    may: [
      "server/main.ts",
      "server/process/config.ts",
      "server/process/config-warnings.ts",
      "server/runtime/clock.ts",
      "server/runtime/duration.ts",
      "server/runtime/read-setting.ts",
      "server/runtime/secret-file.ts",
      "server/runtime/setting.ts",
      "server/runtime/audit-store.ts",
      "server/http/connections.ts",
      "server/domain",
      ...chain,
      "server/deployment",
      "server/merchants",
      "server/people/members",
      "server/rates",
      "server/totals/list-store.ts",
      "server/runtime/global-statements.ts",
      "server/addresses/address-hash.ts",
      "server/addresses/balance-store.ts",
      "server/addresses/directory-store.ts",
      "server/addresses/seal-addresses.ts",
      "server/charges/charge.ts",
      "server/ledger",
      "server/settlement",
      "server/addresses/read-balances.ts",
      "server/deposits/follow/resume-scan.ts",
      "server/deposits/accept-block.ts",
      "server/deposits/override-store.ts",
      "server/deposits/rescan/decide-deposit.ts",
      "server/deposits/check-store.ts",
      "server/deposits/list-store.ts",
      "server/deposits/settings.ts",
      "server/webhooks/deliveries/delivery-log-store.ts",
      "server/deposits/record/unsupported-store.ts",
      "server/deposits/rescan/rescan.ts",
      "server/doctor",
      "postgres/database",
      "postgres/errors",
      "postgres/migrate",
      "postgres/service-role",
      "postgres/partitions",
      "postgres/sql",
      "postgres/tenants",
      ...tron("account-xpub", "address", "seed"),
    ],
    why: "cli calls merchants' verbs, and main.ts to serve",
  },

  signer: {
    may: [
      "postgres/database",
      "postgres/embedded/home-claim",
      "postgres/errors",
      "postgres/sql",
      ...tron(
        "abi",
        "account-xpub",
        "address",
        "contracts",
        "hash",
        "keys/account-keys",
        "seed",
        "signature",
        "transaction",
      ),
    ],
    packages: ["node:*", "node:*/**", "@noble/**"],
    why: "the signer stands on tron and postgres alone: nothing of the service runs beside the seed",
  },

  sdk: { may: [], packages: [], why: "sdk depends on nothing" },
  checkout: {
    may: ["sdk/contract"],
    packages: [],
    why: "checkout runs in the payer's browser, knows no server, and of the contract the types",
  },
  dashboard: {
    may: [
      "dashboard/api",
      "dashboard/format",
      "dashboard/session",
      "dashboard/shell",
      "dashboard/ui",
      "dashboard/words",
      ...screens.map((name) => `dashboard/screens/${name}`),
    ],
    packages: browser,
    why: "the router knows every page, and loads each when it is opened",
  },
  "dashboard/words": { may: ["dashboard/words/en"], packages: [], why: "words know no page and no call" },
  "dashboard/words/en": {
    may: ["dashboard/api/work-operations.ts", "dashboard/format/payment-state.ts"],
    packages: [],
    why: "a catalogue knows the states that it names, and nothing else",
  },
  "dashboard/format": {
    may: ["dashboard/words", "sdk/contract"],
    packages: [],
    why: "how a value reads is a pure rule, without a page and without a call",
  },
  "dashboard/api": {
    may: ["sdk/contract"],
    packages: ["@tanstack/react-query"],
    why: "calls know the contract and no page",
  },
  "dashboard/session": {
    may: ["dashboard/api"],
    packages: ["react"],
    why: "who is signed in is known apart from every page",
  },
  "dashboard/ui": {
    may: ["dashboard/api", "dashboard/format", "dashboard/session", "dashboard/words"],
    packages: browser,
    why: "parts of pages know no page",
  },
  "dashboard/shell": {
    may: ["dashboard/api", "dashboard/format", "dashboard/session", "dashboard/ui", "dashboard/words"],
    packages: browser,
    why: "the frame knows the addresses of pages, and not the pages",
  },
  ...Object.fromEntries(
    screens.map((name) => [
      `dashboard/screens/${name}`,
      {
        may: [
          "dashboard/api",
          "dashboard/format",
          "dashboard/session",
          "dashboard/ui",
          "dashboard/words",
          "sdk/contract",
        ],
        packages: browser,
        why: "a page stands alone, so that it is loaded alone",
      },
    ]),
  ),
  demo: {
    may: ["postgres/embedded", "postgres/dedicated-client", "server/cli"],
    why: "demo starts programs; it looks into none",
  },
};

/** The workspace of a room, a file or an export. */
export function workspaceOf(name: string): string {
  return name.split("/", 1)[0] ?? name;
}
