import { type Database, type Queryable, sql } from "@daric/postgres/sql";
import { auditDatabase } from "@daric/server/doctor/audit";
import { requireDerivedTables } from "@daric/testing/derived-tables";
import type { SimBlock } from "./chain/block.ts";
import { depositName, isTiny, type Payment, standingOf } from "./model.ts";
import type { SimCharge } from "./shop.ts";

/** A deposit in the database. */
export type StoredDepositRow = {
  readonly id: string;
  readonly txId: string;
  readonly source: string;
  readonly eventIndex: number;
  readonly address: string;
  readonly currency: string;
  readonly units: bigint;
  readonly status: string;
  readonly unmatched: boolean;
  readonly blockNumber: bigint;
  readonly blockId: string;
  readonly blockTime: Date;
};

export function listStored(db: Queryable): Promise<StoredDepositRow[]> {
  return db.query<StoredDepositRow>(sql`
    select id, tx_id as "txId", source, event_index as "eventIndex", address, currency, units, status, unmatched,
      block_number as "blockNumber", block_id as "blockId", block_time as "blockTime"
    from deposits`);
}

/** The expected final state of a seed. */
export type FinalModel = {
  readonly payments: ReadonlyMap<string, Payment>;
  readonly simCharges: readonly SimCharge[];
  readonly blocks: readonly SimBlock[];
  readonly solidTimeMs: number;
  readonly network: string;
  /**
   * whether enough nodes report internal transfers: otherwise these may wait for an operator, or stay unseen
   */
  readonly areInternalsReported: boolean;
};

/** The differences between database, events and chain; empty if all agree. */
export async function faultsOfLedger(db: Database, whole: FinalModel): Promise<string[]> {
  const stored = await listStored(db);
  const unannounced = unannouncedOf(whole, stored);
  const model = {
    ...whole,
    payments: new Map([...whole.payments].filter(([name]) => !unannounced.has(name))),
    unannounced,
    all: whole.payments,
  };
  const faults = [
    ...faultsOfDeposits(stored, model),
    ...(await faultsOfCharges(db, stored, model)),
    ...(await faultsOfEvents(db, stored, model)),
    ...(await faultsOfHistory(db, model)),
    ...(await faultsOfBlocks(db, model.blocks)),
  ];
  const madeUp = new Set(
    stored.filter((deposit) => !model.payments.has(depositName(deposit))).map(({ id }) => id),
  );
  faults.push(...(await faultsOfDoctor(db, { network: model.network, madeUp })));
  await requireDerivedTables(db).catch((error: unknown) => faults.push(String(error).split("\n")[0] ?? ""));
  return faults;
}

/** Payments that need not be confirmed, since too few nodes report them. */
function unannouncedOf(
  { payments, areInternalsReported }: FinalModel,
  stored: readonly StoredDepositRow[],
): Set<string> {
  if (areInternalsReported) return new Set();
  const confirmed = new Set(stored.filter(({ status }) => status === "CONFIRMED").map(depositName));
  const internals = [...payments].filter(([, { source }]) => source === "internal");
  return new Set(internals.flatMap(([name]) => (confirmed.has(name) ? [] : [name])));
}

type ModelState = FinalModel & {
  readonly unannounced: ReadonlySet<string>;
  /** the reported ones, and the others */
  readonly all: ReadonlyMap<string, Payment>;
};

/** A block that returned without a liar's addition may be in the doctor's report, and is no fault. */
async function faultsOfDoctor(
  db: Database,
  { network, madeUp }: { network: string; madeUp: ReadonlySet<string> },
): Promise<string[]> {
  const violations = (await auditDatabase(db, network)).flatMap((diagnosis) => diagnosis.violations);
  return violations
    .filter(({ samples }) => !samples.every((sample) => madeUp.has(sample)))
    .map(({ invariant, what, samples }) => `the doctor finds ${invariant}: ${what} (${samples.join("; ")})`);
}

/**
 * Whether a deposit of an invented payment may stay undecided, since it counts in no sum. This holds for the trap
 * address, and for unproven transfers under a quorum: the same transaction may pay the address at another
 * position.
 */
function isUndecided(
  deposit: StoredDepositRow,
  { payments, all, simCharges, unannounced }: ModelState,
): boolean {
  const { status, source, txId, address } = deposit;
  if (status === "CONFIRMED" || status === "FAILED" || payments.has(depositName(deposit))) return false;
  if (unannounced.has(depositName(deposit))) return true;
  if (simCharges.some(({ isTrap, charge }) => isTrap && charge.address === address)) return true;
  const isElsewhere = (deposit: Payment) =>
    deposit.txId === txId && deposit.simCharge.charge.address === address;
  return source !== "transfer" && [...all.values()].some(isElsewhere);
}

/** Whether a pending deposit delays the end of its order: it is above dust and came on time. */
function isHolding(
  { unmatched, units, currency, blockTime }: StoredDepositRow,
  { charge }: SimCharge,
): boolean {
  return (
    !unmatched &&
    !isTiny(units, currency, charge.expectedAmount) &&
    (charge.expiresAt === null || blockTime <= charge.expiresAt)
  );
}

function faultsOfDeposits(stored: readonly StoredDepositRow[], model: ModelState): string[] {
  const { payments } = model;
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const deposit of stored) {
    const name = depositName(deposit);
    const payment = payments.get(name);
    if (seen.has(name)) faults.push(`${name} is booked twice`);
    seen.add(name);
    if (payment === undefined) {
      const isLost = deposit.status === "FAILED" && model.unannounced.has(name);
      if (isLost) faults.push(`${name} is FAILED, and on the chain`);
      if (deposit.status !== "FAILED" && !isUndecided(deposit, model))
        faults.push(`${name} is ${deposit.status} and not on the chain`);
      continue;
    }
    const state = [
      deposit.status,
      deposit.units,
      deposit.currency,
      deposit.blockId,
      Number(deposit.blockTime),
    ];
    const isSo = ["CONFIRMED", payment.units, payment.currency, payment.blockId, payment.blockTimeMs];
    if (state.join() !== isSo.join()) faults.push(`${name} is ${state.join()} and should be ${isSo.join()}`);
  }
  const missing = [...payments.keys()].filter((name) => !seen.has(name));
  return [...faults, ...missing.map((name) => `${name} is not booked`)];
}

async function faultsOfCharges(
  db: Queryable,
  stored: readonly StoredDepositRow[],
  model: ModelState,
): Promise<string[]> {
  const { payments, simCharges, solidTimeMs } = model;
  const rows = await db.query<{
    id: string;
    status: string;
    confirmed: bigint;
    unmatched: bigint;
    types: string[];
  }>(sql`
    select charge.id, charge.status, coalesce(sums.confirmed, 0) as confirmed, coalesce(sums.unmatched, 0) as unmatched,
      array(select type from webhook_events e where e.merchant_id = charge.merchant_id and e.resource_id = charge.id
        order by type) as types
    from deposit_addresses charge
    left join charge_sums sums on sums.merchant_id = charge.merchant_id and sums.deposit_address_id = charge.id`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return simCharges.flatMap((simCharge) => {
    const { charge } = simCharge;
    const row = byId.get(charge.id);
    if (row === undefined) return [`charge ${charge.id} is gone`];
    const own = [...payments.values()].filter((payment) => payment.simCharge === simCharge);
    const undecided = stored.filter(
      (deposit) => deposit.address === charge.address && isUndecided(deposit, model),
    );
    const standing = standingOf(
      simCharge,
      own,
      undecided.some((deposit) => isHolding(deposit, simCharge)) ? 0 : solidTimeMs,
    );
    // A pending deposit counts as unmatched, and an invented one stays so.
    const doubted = undecided
      .filter((deposit) => deposit.unmatched)
      .reduce((sum, { units }) => sum + units, 0n);
    const unmatched = simCharge.isTrap ? standing.unmatched : row.unmatched;
    const state = [row.status, row.confirmed, unmatched].join();
    const due = simCharge.isTrap ? standing.unmatched : standing.unmatched + doubted;
    const isSo = [standing.status, standing.confirmed, due].join();
    const name = `${charge.kind} ${charge.address}`;
    return [
      ...(state === isSo ? [] : [`${name} is ${state} and should be ${isSo}`]),
      ...(fits(row.types, standing.events)
        ? []
        : [`${name} announced ${row.types} and should have announced ${standing.events.join(" ")}`]),
    ];
  });
}

/** Whether these types are the expected ones, each once. */
function fits(types: readonly string[], expected: readonly string[]): boolean {
  const left = [...types];
  for (const deposit of expected) {
    const choices = deposit.split(",");
    const place = left.findIndex((type) => choices.includes(type));
    if (place !== -1) left.splice(place, 1);
    else if (!choices.includes("")) return false;
  }
  return left.length === 0;
}

/** Each confirmed deposit was announced once, under its own id, and to the endpoint with all types. */
async function faultsOfEvents(
  db: Queryable,
  stored: readonly StoredDepositRow[],
  { payments }: FinalModel,
): Promise<string[]> {
  const rows = await db.query<{
    id: string;
    type: string;
    resource: string;
    body: string;
    deliveries: number;
  }>(sql`
    select e.id, e.type, e.resource_id as resource, convert_from(b.body, 'UTF8') as body,
      (select count(*)::integer from webhook_deliveries d where d.merchant_id = e.merchant_id and d.event_id = e.id)
        as deliveries
    from webhook_events e
    left join webhook_event_bodies b on b.merchant_id = e.merchant_id and b.event_id = e.id`);
  const announced = new Map<string, number>();
  const faults = rows.flatMap(({ id, type, resource, body, deliveries }) => {
    announced.set(`${resource} ${type}`, (announced.get(`${resource} ${type}`) ?? 0) + 1);
    const state = JSON.parse(body ?? "{}") as { id?: string };
    return state.id === id && deliveries === 1
      ? []
      : [`event ${type} of ${resource} has ${deliveries} deliveries`];
  });
  const isFinal = new Set(["deposit.confirmed", "deposit.unmatched"]);
  const expected = stored
    .filter((deposit) => payments.has(depositName(deposit)))
    // Dust of the other coin has no event.
    .filter(({ unmatched, units, currency }) => !(unmatched && isTiny(units, currency, null)))
    .map(({ id, unmatched }) => `${id} ${unmatched ? "deposit.unmatched" : "deposit.confirmed"}`);
  const wrong = expected.filter((key) => announced.get(key) !== 1);
  const surplus = [...announced.keys()].filter(
    (key) => isFinal.has(key.split(" ")[1]!) && !expected.includes(key),
  );
  return [
    ...faults,
    ...wrong.map((key) => `${key} was announced ${announced.get(key) ?? 0} times`),
    ...surplus.map((key) => `${key} was not announced`),
  ];
}

/** The history of each deposit is one chain of changes up to its state, with ascending epochs of leaders. */
async function faultsOfHistory(db: Queryable, { simCharges }: FinalModel): Promise<string[]> {
  const trap = simCharges.find(({ isTrap }) => isTrap)?.charge.id ?? null;
  const rows = await db.query<{ fault: string }>(sql`
    with steps as (
      select merchant_id, deposit_id, id, from_status, to_status, leader_epoch,
        lag(to_status) over deposit as before, lead(id) over deposit as next,
        max(leader_epoch) over (order by id rows between unbounded preceding and current row) as newest
      from deposit_events window deposit as (partition by merchant_id, deposit_id order by id)
    )
    select 'a change of ' || steps.deposit_id || ' from ' || coalesce(from_status, 'nothing') || ' to ' || to_status ||
      ' follows ' || coalesce(before, 'nothing') || ' or was made by a leader of before' as fault
    from steps where before is distinct from from_status or leader_epoch < newest
    union all
    select 'deposit ' || d.id || ' is ' || d.status || ' and its history ends otherwise'
    from deposits d left join steps on steps.merchant_id = d.merchant_id and steps.deposit_id = d.id and steps.next is null
    where steps.to_status is distinct from d.status
    union all
    select 'deposit ' || steps.deposit_id || ' was STUCK' from steps
    join deposits d on d.merchant_id = steps.merchant_id and d.id = steps.deposit_id
    where to_status = 'STUCK' and d.deposit_address_id <> ${trap}`);
  return rows.map(({ fault }) => fault);
}

/** The blocks in the database are the chain's, without a gap. */
async function faultsOfBlocks(db: Queryable, blocks: readonly SimBlock[]): Promise<string[]> {
  const read = await db.query<{ number: bigint; id: string }>(sql`
    select number, id from blocks where orphaned_at is null order by number`);
  const start = Number(read[0]?.number ?? 0);
  const wrong = read.filter(
    ({ number, id }, place) => Number(number) !== start + place || blocks[Number(number)]?.id !== id,
  );
  const waiting = await db.query<{ note: string }>(sql`
    select concat_ws(' ', id, note) as note from rescans where status not in ('DONE', 'REFUSED')`);
  const isWhole = read.length === blocks.length - start;
  return [
    ...wrong.slice(0, 3).map(({ number, id }) => `block ${number} was read as ${id}`),
    ...waiting.map(({ note }) => `a range is not read again: ${note}`),
    ...(isWhole ? [] : [`${read.length} blocks were read from ${start} on, of ${blocks.length}`]),
  ];
}
