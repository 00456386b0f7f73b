import { Link } from "@tanstack/react-router";
import type { RefundTask } from "../../api/work-operations.ts";
import { useMay } from "../../session/session-store.ts";
import { Ago, Badge, Money } from "../../ui/show.tsx";
import { refundWords } from "../../words/refund-words.ts";
import { words } from "../../words/words.ts";
import { Decide } from "./decide.tsx";

/** Tasks that the payment's note solves: nothing about the refund itself is left to do. */
const SOLVED_BY_NOTE: readonly RefundTask["task"][] = ["proposal", "paid_canceled"];

/** Refunds that need a person. */
export function RefundTasks({ tasks }: { readonly tasks: readonly RefundTask[] }) {
  if (tasks.length === 0) return null;
  return (
    <ul className="cards refund-tasks">
      {tasks.map((task) => (
        <OneTask key={task.id} task={task} />
      ))}
    </ul>
  );
}

function OneTask({ task: row }: { readonly task: RefundTask }) {
  const {
    id,
    task,
    order_ref: orderRef,
    amount,
    paid_amount: paid,
    currency,
    needs_confirmation: doubt,
  } = row;
  const mayDecide = useMay("charges:write");
  const text = refundWords.tasks[task];
  return (
    <li className="card case">
      <div>
        <p className="buttons">
          <Badge tone="attention">{text.title}</Badge>
          <Ago at={row.at} />
        </p>
        <Link data-row to="/refunds/$id" params={{ id }} className="case-title">
          {orderRef ?? words.payments.noReference}
        </Link>
        <p className="figure">
          <Money amount={paid ?? amount} currency={currency} />
        </p>
        <p className="hint">{task === "confirm" && doubt !== null ? refundWords.doubts[doubt] : text.hint}</p>
      </div>
      <div className="buttons">
        <Link className="button plain" to="/refunds/$id" params={{ id }}>
          {refundWords.open}
        </Link>
        {mayDecide && SOLVED_BY_NOTE.includes(task) && (
          <Decide id={row.deposit_address_id} decision="dismiss" />
        )}
      </div>
    </li>
  );
}
