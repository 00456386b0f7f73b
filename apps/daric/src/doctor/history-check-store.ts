import { depositMachine } from "@daric/domain/deposit";
import { isAtMostOnce, webhookEventTypes } from "@daric/domain/webhook-event";
import { literals, oneOf, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { type DepositScope, isAmong } from "./deposit-check-store.ts";
import type { Violation } from "./invariant.ts";
import { findViolations } from "./violation-store.ts";

/** `daric retain` may delete the history of final deposits after this time, never sooner. */
export const MIN_KEPT: Sql = sql`interval '30 days'`;
const finalized = literals(depositMachine.edge("finalized").to);
/** Every step that a deposit may take, including the first. */
const steps = [
  `>detected>${depositMachine.initial}`,
  ...depositMachine.events.flatMap((event) => {
    const { from, to } = depositMachine.edge(event);
    return from.map((state) => `${state}>${event}>${to}`);
  }),
];
const onceOnly = webhookEventTypes.filter(isAtMostOnce);

/** Contradictions between deposits and their history and events. */
export async function findHistoryViolations(db: Queryable, scope: DepositScope): Promise<Violation[]> {
  return [
    ...(await findWrongSteps(db, scope)),
    ...(await findUnannouncedDeposits(db, scope)),
    ...(await findUnannounced(db, scope)),
    ...(await findAnnouncedTwice(db, scope)),
  ];
}

/**
 * Checks the history in the order of its key: each step against the previous one, and the last against the deposit.
 */
function findWrongSteps(db: Queryable, { merchantIds, ...scope }: DepositScope): Promise<Violation[]> {
  return findViolations(db, {
    sample: sql`deposit_id`,
    faults: [
      [
        "I22",
        "deposit that was changed under an older epoch than by its previous change",
        sql`leader_epoch < epoch_before`,
      ],
      [
        "I5",
        "deposit with a step that its state machine does not have",
        sql`coalesce(from_status, '') || '>' || event || '>' || to_status <> all(${steps}::text[])
          or from_status is distinct from status_before and status_before is not null`,
      ],
      ["I2", "history of a missing deposit", sql`is_last and units is null`],
      ["I2", "deposit with another amount than its history", sql`is_last and step_units <> units`],
      [
        "I5",
        "deposit with another status or block than its history",
        sql`is_last and (to_status, step_block) is distinct from (status, block_id)`,
      ],
    ],
    from: sql`(
      select step.*, d.units, d.status, d.block_id
      from (
        select merchant_id, deposit_id, event, from_status, to_status, leader_epoch, units as step_units,
          block_id as step_block, lag(to_status) over steps as status_before,
          lag(leader_epoch) over steps as epoch_before, lead(id) over steps is null as is_last
        from deposit_events
        where merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`deposit_id`, scope)}
        window steps as (partition by merchant_id, deposit_id order by id)
      ) step
      left join (
        select merchant_id, id, units, status, block_id from deposits
        where merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`id`, scope)}
      ) d on step.is_last and d.merchant_id = step.merchant_id and d.id = step.deposit_id
    ) step`,
  });
}

function findUnannouncedDeposits(
  db: Queryable,
  { merchantIds, ...scope }: DepositScope,
): Promise<Violation[]> {
  return findViolations(db, {
    sample: sql`id`,
    faults: [["I2", "deposit without a history", sql`true`]],
    from: sql`(
      select id from deposits d
      where merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`id`, scope)}
        and (confirmed_at is null and failed_at is null or updated_at > now() - ${MIN_KEPT})
        and not exists (
          select from deposit_events step
          where step.merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`step.deposit_id`, scope)}
            and step.merchant_id = d.merchant_id and step.deposit_id = d.id)) untold`,
  });
}

/** Compares each confirmed deposit with its event. Dust of another coin needs none. */
function findUnannounced(db: Queryable, { merchantIds, ...scope }: DepositScope): Promise<Violation[]> {
  return findViolations(db, {
    sample: sql`coalesce(d.id, announced.resource_id)`,
    faults: [
      [
        "I6",
        "confirmed deposit without its event",
        sql`announced.resource_id is null and not (d.unmatched and d.dust is true)`,
      ],
      ["I6", "event of a deposit that is not confirmed", sql`d.id is null`],
      [
        "I6",
        "confirmed deposit with an event of the wrong type",
        sql`(announced.type = 'deposit.unmatched') <> d.unmatched`,
      ],
    ],
    from: sql`(
      select merchant_id, id, unmatched, dust from deposits
      where merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`id`, scope)}
        and status = ${finalized}
    ) d full join (
      select merchant_id, resource_id, type from webhook_events
      where merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`resource_id`, scope)}
        and type in ('deposit.confirmed', 'deposit.unmatched')
    ) announced on announced.merchant_id = d.merchant_id and announced.resource_id = d.id`,
  });
}

/** Events that happen once and were written twice, for subjects in the range. */
function findAnnouncedTwice(db: Queryable, { merchantIds, ...scope }: DepositScope): Promise<Violation[]> {
  return findViolations(db, {
    sample: sql`type || ' of ' || resource_id`,
    faults: [["I21", "event that was written more than once", sql`true`]],
    from: sql`(
      select resource_id, type from webhook_events
      where merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`resource_id`, scope)}
        and type = any(${onceOnly}::text[])
      group by merchant_id, resource_id, type having count(*) > 1) twice`,
  });
}
