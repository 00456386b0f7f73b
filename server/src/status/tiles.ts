import { type Html, html } from "../runtime/html.ts";
import type { ReadingStatus, SettlingStatus, Status, WaitingStatus } from "./status.ts";
import { countText, durationText } from "./text.ts";

/** Being this many blocks behind the nodes deserves attention: a minute of them. */
const MANY_BEHIND = 20;
/** An older block of a public network means that the chain or the node has stopped. */
const OLD_SECONDS = 120;
/** A webhook that is due for longer is late. */
const LATE_SECONDS = 60;

const SUN_PER_TRX = 1_000_000n;

type Tile = {
  readonly name: string;
  readonly value: string;
  readonly more?: string;
  readonly isBad?: boolean;
};

/** The reader of the chain, and its height. */
export function readingTiles({ reading, process }: Status): Html {
  if (reading === undefined) return tiles([{ name: "Database", value: "does not answer", isBad: true }]);
  const { scanned, head } = reading;
  const isLocal = process.network === "devnet";
  if (scanned === undefined)
    return tiles([leaderTile(reading), { name: "Read up to", value: "no block yet" }]);
  const behind = head === undefined ? undefined : Math.max(0, head - scanned.number);
  return tiles([
    leaderTile(reading),
    { name: "Head of the nodes", value: head === undefined ? "unknown" : countText(head) },
    {
      name: "Read up to",
      value: countText(scanned.number),
      more: `${durationText(scanned.ageSeconds)} old`,
      isBad: !isLocal && scanned.ageSeconds > OLD_SECONDS,
    },
    {
      name: "Behind the head",
      value: behind === undefined ? "unknown" : `${countText(behind)} ${behind === 1 ? "block" : "blocks"}`,
      isBad: behind !== undefined && behind > MANY_BEHIND,
    },
    {
      name: "Solid",
      value: countText(scanned.solidNumber),
      more: `${countText(Math.max(0, scanned.number - scanned.solidNumber))} below what is read`,
    },
  ]);
}

function leaderTile({ leader }: ReadingStatus): Tile {
  if (leader === undefined) return { name: "Leader", value: "no watcher reads", isBad: true };
  const where = `${leader.host}, pid ${leader.pid}`;
  return leader.isThisProcess
    ? { name: "Leader", value: "this process", more: where }
    : { name: "Leader", value: leader.host, more: `pid ${leader.pid}` };
}

/** Waiting work. */
export function waitingTiles({ webhooks, deposits, addressesAhead }: WaitingStatus): Html {
  const known: Tile[] = [];
  if (webhooks !== undefined) {
    const { due, oldestDueSeconds, parked } = webhooks;
    known.push({
      name: "Webhooks due",
      value: countText(due),
      ...(due > 0 && { more: `the oldest for ${durationText(oldestDueSeconds)}` }),
      isBad: oldestDueSeconds > LATE_SECONDS,
    });
    known.push({ name: "Webhooks parked", value: countText(parked), more: "for disabled endpoints" });
  }
  for (const [status, count] of deposits ?? [])
    known.push({
      name: `Deposits ${status}`,
      value: countText(count),
      isBad: status === "STUCK" && count > 0,
    });
  if (addressesAhead !== undefined)
    known.push({ name: "Addresses ahead", value: countText(addressesAhead), isBad: addressesAhead === 0 });
  if (known.length === 0) return html`<p class="soft">Processes of other roles know that.</p>`;
  return tiles(known);
}

/** A signer without a sign of life for this long does not run. */
const SILENT_SECONDS = 60;
/** A sweep changes its status within minutes, unless it waits for a price, an operator or a later time. */
const STUCK_SECONDS = 1_800;
const HELD = ["WAITING", "RETRY", "FROZEN"];

/** The accounts that pay for sweeps, the sweeps under way with their ages, and the faults that delay them. */
export function settlementPart(settlement: SettlingStatus | undefined): Html | null {
  if (settlement === undefined) return null;
  const { faults, accounts, sweeps } = settlement;
  const known = [
    ...(accounts === undefined ? [] : accountTiles(accounts)),
    ...(sweeps ?? []).filter(({ count }) => count > 0).map(sweepTile),
  ];
  if (sweeps?.every(({ count }) => count === 0)) known.push({ name: "Sweeps", value: "none is open" });
  const said = faults.map((fault) => html`<p class="soft">${fault}</p>`);
  return html`<h2>Settlement</h2>${known.length > 0 ? tiles(known) : null}<div class="notes">${said}</div>`;
}

function accountTiles({
  gas,
  isGasLow,
  stake,
  signerSilentSeconds,
}: NonNullable<SettlingStatus["accounts"]>): Tile[] {
  const trx = (sun: bigint) => `${countText(Number(sun / SUN_PER_TRX))} TRX`;
  return [
    { name: "Gas wallet", value: trx(gas), ...(isGasLow && { more: "low: fund it" }), isBad: isGasLow },
    ...(stake === undefined
      ? []
      : [
          {
            name: "Stake can lend",
            value: trx(stake.free),
            more: `energy for ${countText(stake.loans)} transfers`,
            isBad: stake.loans === 0,
          },
        ]),
    ...(signerSilentSeconds === undefined ? [] : [signerTile(signerSilentSeconds)]),
  ];
}

function signerTile(silentSeconds: number): Tile {
  if (silentSeconds <= SILENT_SECONDS) return { name: "Signer", value: "answers" };
  const more = Number.isFinite(silentSeconds) ? `for ${durationText(silentSeconds)}` : "since its start";
  return { name: "Signer", value: "is silent", more, isBad: true };
}

function sweepTile({ status, count, oldestSeconds }: NonNullable<SettlingStatus["sweeps"]>[number]): Tile {
  const isStuck = HELD.includes(status) ? status === "FROZEN" : oldestSeconds > STUCK_SECONDS;
  return {
    name: `Sweeps ${status}`,
    value: countText(count),
    more: `the oldest for ${durationText(oldestSeconds)}`,
    isBad: isStuck,
  };
}

function tiles(all: readonly Tile[]): Html {
  return html`<dl class="tiles">${all.map(
    ({ name, value, more, isBad = false }) =>
      html`<div><dt>${name}</dt><dd class="${isBad ? "bad" : ""}">${value}${more && html`<small>${more}</small>`}</dd></div>`,
  )}</dl>`;
}
