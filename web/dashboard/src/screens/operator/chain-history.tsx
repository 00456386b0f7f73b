import type { ChainPast } from "../../api/operator-operations.ts";
import { useRead } from "../../api/use-call.ts";
import { countText } from "../../format/amount.ts";
import { Code } from "../../ui/copy.tsx";
import { Loaded, Section } from "../../ui/page.tsx";
import { Badge, Facts, When } from "../../ui/show.tsx";
import { operatorWords, words } from "../../words/words.ts";
import { Runbook } from "./alerts.tsx";

const LIVE_MS = 10_000;
const SHOWN = 5;
/** How an operator lets a halted scan go on. */
const RESUME = "daric scan resume";

/** Halts of the scan, forks that it followed, and blocks that were read again. */
export function ChainHistory() {
  const history = useRead("GET /dashboard/v1/operator/chain", {}, { everyMs: LIVE_MS });
  const text = operatorWords.chain;
  return (
    <Section title={text.title}>
      <Loaded from={history}>
        {({ halts, forks, rescans }) => (
          <>
            {halts.length + forks.length + rescans.length === 0 && <p className="hint">{text.none}</p>}
            <ul className="lines">
              {halts.map((halt) => (
                <Halt key={halt.halted_at} halt={halt} />
              ))}
            </ul>
            {forks.length > 0 && <h3 className="label">{text.forks}</h3>}
            <Forks forks={forks} />
            {rescans.length > 0 && <h3 className="label">{text.rescans}</h3>}
            <ul className="lines">
              {rescans.slice(0, SHOWN).map((rescan) => (
                <Rescan key={rescan.id} rescan={rescan} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Halt({ halt }: { readonly halt: ChainPast["halts"][number] }) {
  const text = operatorWords.chain;
  const { block, our_block, their_block, nodes, halted_at, resumed_at, ended_at, went_on_from } = halt;
  return (
    <li>
      <Badge tone={ended_at === null ? "bad" : "quiet"}>
        {ended_at === null ? text.halted : operatorWords.alerts.over}
      </Badge>
      <strong>{text.haltedAt({ block: countText(block) })}</strong>
      <Facts
        rows={[
          [operatorWords.alerts.since, <When key="h" at={halted_at} />],
          [text.ours, <Code key="o" text={our_block} isShort />],
          [text.theirs, <Code key="t" text={their_block} isShort />],
          [
            operatorWords.nodes,
            <span key="n" dir="auto">
              {nodes}
            </span>,
          ],
          resumed_at !== null && [text.resumed, <When key="r" at={resumed_at} />],
          went_on_from !== null && [text.wentOn, countText(went_on_from)],
          resumed_at === null && [text.toResume, <Code key="c" text={RESUME} />],
        ]}
      />
      <Runbook path="/docs/operations#solid_contradiction" />
    </li>
  );
}

/** The newest ones in view, the others on demand. */
function Forks({ forks }: { readonly forks: ChainPast["forks"] }) {
  const text = operatorWords.chain;
  const lines = (shown: ChainPast["forks"]) => (
    <ul className="lines">
      {shown.map(({ at, from_block, to_block, blocks }) => (
        <li key={at}>
          <span>
            {text.fork({ count: String(blocks), from: countText(from_block), to: countText(to_block) })}
          </span>
          <span className="hint">
            <When at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {lines(forks.slice(0, SHOWN))}
      {forks.length > SHOWN && (
        <details>
          <summary>{words.common.loadMore}</summary>
          {lines(forks.slice(SHOWN))}
        </details>
      )}
    </>
  );
}

const rescanTones = { WAITING: "quiet", RUNNING: "progress", DONE: "good", REFUSED: "attention" } as const;

function Rescan({ rescan }: { readonly rescan: ChainPast["rescans"][number] }) {
  const text = operatorWords.chain;
  const { status, from_block: from, to_block: to, note, differing, nodes } = rescan;
  const whole = to - from + 1;
  const found = text.found({ blocks: String(rescan.blocks_added), payments: String(rescan.deposits_added) });
  return (
    <li>
      <Badge tone={rescan.blocks_differing > 0 ? "attention" : rescanTones[status]}>
        {text.states[status]}
      </Badge>
      <strong>{text.range({ from: countText(from), to: countText(to) })}</strong>
      <span className="hint">
        {text.read({ read: countText(rescan.blocks_read), all: countText(whole) })} · {found} ·{" "}
        <When at={rescan.created_at} />
      </span>
      {status === "RUNNING" && (
        <progress max={whole} value={rescan.blocks_read} aria-label={text.states[status]} />
      )}
      {[note, ...differing, ...nodes.map(nodeText)].map(
        (line) =>
          line && (
            <p key={line} className="hint" dir="auto">
              {line}
            </p>
          ),
      )}
    </li>
  );
}

/** The fault of a node; undefined if it showed every block. */
function nodeText({
  node,
  blocks_shown,
  blocks_not_shown,
  reason,
}: ChainPast["rescans"][number]["nodes"][number]) {
  return reason === null
    ? undefined
    : `${node} ${blocks_shown}/${blocks_shown + blocks_not_shown}: ${reason}`;
}
