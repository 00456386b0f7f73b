import type { Status } from "@daric/console/status/status";

/** A mainnet service in trouble, with a value in every part. */
export const sampleStatus: Status = {
  now: new Date("2026-11-22T03:00:00Z"),
  process: {
    name: "pay-1:9464",
    roles: ["api", "watcher", "webhooks"],
    network: "mainnet",
    environment: "live",
    host: "pay-1",
    pid: 4711,
    uptimeSeconds: 186_400,
    versions: { program: "0.1.0", node: "v20.20.2", schema: 18, postgresql: "17.5" },
  },
  reading: {
    leader: { host: "pay-1", pid: "4711", isThisProcess: true },
    scanned: { number: 71_234_011, ageSeconds: 1_700, solidNumber: 71_233_993 },
    head: 71_234_567,
  },
  nodes: [
    {
      label: "api.trongrid.io",
      head: { number: 71_234_567, ageSeconds: 4, agoSeconds: 1 },
      solid: { number: 71_234_549, ageSeconds: 58, agoSeconds: 33 },
      failures: 3,
      lastFailure: { message: "api.trongrid.io: answered HTTP 502", agoSeconds: 4_000 },
    },
    { label: "10.0.0.7:8090", head: undefined, solid: undefined, failures: 0, lastFailure: undefined },
  ],
  waiting: {
    webhooks: { due: 4_211, oldestDueSeconds: 912, parked: 112 },
    deposits: new Map([
      ["DETECTED", 2],
      ["STUCK", 14],
    ]),
    addressesAhead: 241,
  },
  settlement: {
    faults: ["the gas wallet TBrBqhM9oZkJ8Y4cFPzRsqtBhrxnKp4U6H holds 41.2 TRX: fund it"],
    accounts: {
      gas: 41_200_000n,
      isGasLow: true,
      stake: { free: 5_100_000_000n, loans: 0 },
      signerSilentSeconds: 312,
    },
    sweeps: [
      { status: "PLANNED", count: 3, oldestSeconds: 3_700 },
      { status: "SENT", count: 0, oldestSeconds: 0 },
      { status: "WAITING", count: 12, oldestSeconds: 7_400 },
      { status: "FROZEN", count: 1, oldestSeconds: 186_400 },
    ],
  },
  rates: [
    {
      currency: "USDT",
      fiatCurrency: "USD",
      price: "0.9994",
      refusal: undefined,
      sources: [{ source: "kraken", verdict: "used", price: "0.9994", ageSeconds: 6, why: undefined }],
    },
    {
      currency: "USDT",
      fiatCurrency: "EUR",
      price: "0.92",
      refusal: undefined,
      sources: [{ source: "coinbase", verdict: "used", price: "0.92", ageSeconds: 9, why: undefined }],
    },
    {
      currency: "TRX",
      fiatCurrency: "USD",
      price: undefined,
      refusal: "the sources do not agree",
      sources: [
        {
          source: "okx",
          verdict: "error",
          price: undefined,
          ageSeconds: undefined,
          why: "answered HTTP 502",
        },
      ],
    },
  ],
  checks: [
    { name: "database", ok: true, detail: "answers" },
    { name: "scanner", ok: false, detail: "reading on fails: timeout" },
  ],
  errors: [
    {
      time: "2026-11-22T02:59:00.000Z",
      level: "warn",
      message: "the database is away",
      code: "ECONNREFUSED",
    },
    {
      time: "2026-11-22T02:58:00.000Z",
      level: "error",
      message: "the watcher failed",
      reason: "timeout",
      worker: "watcher",
    },
  ],
};
