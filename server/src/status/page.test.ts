import { createOfflineContext } from "@daric/testing/offline-context";
import { HOSTILE, sampleStatus } from "@daric/testing/sample-status";
import { describe, expect, it } from "vitest";
import { createOperationsApp } from "../http/operations.ts";
import { statusPage } from "./page.ts";
import { statusRoutes } from "./routes.ts";
import { durationText } from "./text.ts";

const text = (markup: string): string => markup.replace(/<style>.*<\/style>/s, "").replace(/<[^>]+>/g, " ");

describe("the page for operators", () => {
  it("lists problems first, then the reader, its height, waiting work, each node, each rate, errors and versions", () => {
    const shown = text(statusPage(sampleStatus)).replace(/\s+/g, " ");
    for (const expected of [
      /^ ?Not ready: Daric .* scanner : reading on fails/,
      "this process pay-1, pid 4711",
      "71,234,011 28 min old",
      "556 blocks",
      "4,211 the oldest for 15 min",
      "Deposits STUCK 14",
      "Settlement Gas wallet 41 TRX low: fund it Stake can lend 5,100 TRX energy for 0 transfers Signer is silent for 5 min",
      "Sweeps PLANNED 3 the oldest for 1 h 1 min Sweeps WAITING 12",
      "Sweeps FROZEN 1 the oldest for 2 d 3 h",
      "the gas wallet TBrBqhM9oZkJ8Y4cFPzRsqtBhrxnKp4U6H holds 41.2 TRX: fund it",
      "api.trongrid.io 71,234,567 4 s old 71,234,549 58 s old, said 33 s ago 3",
      "10.0.0.7:8090 not said yet",
      "USDT 0.9994 USD",
      "no rate the sources do not agree",
      "2026-11-22 02:59:00 warn the database is away ECONNREFUSED",
      "Daric 0.1.0, Node v20.20.2, schema 18, PostgreSQL 17.5",
    ])
      expect(shown).toMatch(expected);
  });

  it("escapes all foreign text", () => {
    const page = statusPage(sampleStatus);
    expect(page).not.toContain("<script");
    const escaped = HOSTILE.replace(/[<>"']/g, (character) => `&${names[character]};`);
    expect(page.split(escaped).length - 1).toBe(6);
  });

  it("is ready if every check passes, and marks unknown values without a database or in another role", () => {
    const checks = sampleStatus.checks.filter(({ ok }) => ok);
    const waiting = { webhooks: undefined, deposits: undefined, addressesAhead: undefined };
    const bare = {
      ...sampleStatus,
      checks,
      waiting,
      nodes: undefined,
      rates: undefined,
      settlement: undefined,
      errors: [],
    };
    const shown = text(statusPage({ ...bare, reading: undefined })).replace(/\s+/g, " ");
    expect(shown).toMatch(/Ready: Daric .*Database does not answer.*Processes of other roles know that\./);
    expect(shown).toMatch(/None since it was started/);
    const reading = { leader: undefined, scanned: undefined, head: undefined };
    expect(text(statusPage({ ...bare, reading })).replace(/\s+/g, " ")).toMatch(
      /Leader no watcher reads .*no block yet/,
    );
  });

  it("shows that settlement without a signer waits for one, and that an idle one has nothing open", () => {
    const shownOf = (settlement: (typeof sampleStatus)["settlement"]) =>
      text(statusPage({ ...sampleStatus, settlement })).replace(/\s+/g, " ");
    const faults = ["no signer has run"];
    const without = shownOf({ faults, accounts: undefined, sweeps: undefined });
    expect(without).toMatch(/Settlement no signer has run Last errors/);
    const accounts = { gas: 900_000_000n, isGasLow: false, stake: undefined, signerSilentSeconds: 1 };
    const quiet = shownOf({ faults: [], accounts, sweeps: [{ status: "SENT", count: 0, oldestSeconds: 0 }] });
    expect(quiet).toMatch(/Settlement Gas wallet 900 TRX Signer answers Sweeps none is open Last errors/);
    expect(shownOf(undefined)).not.toContain("Settlement");
  });

  it("reloads by itself unless it is still, and forbids scripts and caching", async () => {
    const context = createOfflineContext();
    const app = createOperationsApp(context);
    statusRoutes(app, async () => sampleStatus);
    const { headers, body } = await app.inject({ method: "GET", url: "/" });
    expect(body).toContain('<meta http-equiv="refresh" content="5">');
    expect((await app.inject({ method: "GET", url: "/?still" })).body).not.toContain("refresh");
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(headers["cache-control"]).toBe("no-store, no-transform");
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    await app.close();
    await context.db.close();
  });
});

const names: Readonly<Record<string, string>> = { "<": "lt", ">": "gt", '"': "quot", "'": "#39" };

it.each([
  [0.4, "0 s"],
  [59, "59 s"],
  [61, "1 min"],
  [3_700, "1 h 1 min"],
  [186_400, "2 d 3 h"],
])("%s seconds are %s", (seconds, expected) => {
  expect(durationText(seconds)).toBe(expected);
});
