import { type Html, html } from "../runtime/html.ts";
import type { ReadingStatus, Status, WaitingStatus } from "./status.ts";
import { countText, durationText } from "./text.ts";

/** Blocks behind the nodes that are worth a second look: a minute of them. */
const MANY_BEHIND = 20;
/** A block of a public network that is older than this stands still. */
const OLD_SECONDS = 120;
/** A webhook that is due for so long is not on its way. */
const LATE_SECONDS = 60;

type Tile = {
  readonly name: string;
  readonly value: string;
  readonly more?: string;
  readonly isBad?: boolean;
};

/** Who reads the chain, and how far. */
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
  if (leader === undefined) return { name: "Leader", value: "nobody reads", isBad: true };
  const where = `${leader.host}, pid ${leader.pid}`;
  return leader.isThisProcess
    ? { name: "Leader", value: "this process", more: where }
    : { name: "Leader", value: leader.host, more: `pid ${leader.pid}` };
}

/** What waits to be done. */
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

function tiles(all: readonly Tile[]): Html {
  return html`<dl class="tiles">${all.map(
    ({ name, value, more, isBad = false }) =>
      html`<div><dt>${name}</dt><dd class="${isBad ? "bad" : ""}">${value}${more && html`<small>${more}</small>`}</dd></div>`,
  )}</dl>`;
}
