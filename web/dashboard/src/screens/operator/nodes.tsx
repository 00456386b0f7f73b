import type { NodeStatus } from "../../api/operator-operations.ts";
import { countText } from "../../format/amount.ts";
import { spanText } from "../../format/time.ts";
import { Section } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";
import { language, operatorWords, words } from "../../words/words.ts";

/** An older answer is shown with its age. */
const FRESH_SECONDS = 10;

/** The state of the chain as each node reports it. */
export function Nodes({ nodes }: { readonly nodes: readonly NodeStatus[] }) {
  const text = operatorWords;
  if (nodes.length === 0) return null;
  return (
    <Section title={text.nodes}>
      <Table
        label={text.nodes}
        rows={nodes}
        keyOf={({ label }) => label}
        columns={[
          { name: text.node, cell: ({ label }) => label },
          { name: text.head, cell: ({ head }) => <Said block={head} />, isEnd: true },
          { name: text.solid, cell: ({ solid }) => <Said block={solid} />, isEnd: true },
          { name: text.failures, cell: ({ failures }) => failures, isEnd: true },
          {
            name: text.lastFailure,
            cell: ({ last_failure: last }) => (last === null ? words.common.none : <Failure {...last} />),
          },
        ]}
      />
    </Section>
  );
}

/** A block with its own age, and how long ago the node named it. */
function Said({ block }: { readonly block: NodeStatus["head"] }) {
  const text = operatorWords;
  if (block === null) return text.unknown;
  const { number, age_seconds, ago_seconds } = block;
  return (
    <>
      {countText(number)}
      <p className="hint">
        {text.old({ span: spanText(age_seconds, language) })}
        {ago_seconds > FRESH_SECONDS && <>, {text.said({ span: spanText(ago_seconds, language) })}</>}
      </p>
    </>
  );
}

function Failure({ message, ago_seconds }: NonNullable<NodeStatus["last_failure"]>) {
  return (
    <>
      <span dir="auto">{message}</span>
      <p className="hint">{operatorWords.said({ span: spanText(ago_seconds, language) })}</p>
    </>
  );
}
