import type { Channel, MessageKind } from "../../api/account-operations.ts";
import { useMembership } from "../../session/session-store.ts";
import { words } from "../../words/words.ts";
import { channelNames, kindGroups, kindText } from "./channel-words.ts";

/** The channels of each kind of message. */
export type Chosen = Readonly<Partial<Record<MessageKind, readonly string[]>>>;

type Props = {
  readonly channels: readonly Channel[];
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
};

/** Each kind of message with its channels. On a phone the boxes of an event stand below its name, each with its channel. */
export function ToldTable({ channels, chosen, onChoose }: Props) {
  const names = channelNames(channels);
  const { scopes = [] } = useMembership() ?? {};
  const groups = kindGroups().filter(({ needs }) => needs === undefined || scopes.includes(needs));
  const toggle = (kind: MessageKind, id: string) => {
    const ids = chosen[kind] ?? [];
    onChoose({ ...chosen, [kind]: ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id] });
  };
  return (
    <div className="table-frame">
      <table className="told">
        <caption className="visually-hidden">{words.notifications.what}</caption>
        <thead>
          <tr>
            <th scope="col">{words.notifications.event}</th>
            {channels.map(({ id }) => (
              <th key={id} scope="col" title={names[id]}>
                {names[id]}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ title, kinds }) => (
          <tbody key={title}>
            <tr>
              <th scope="rowgroup" colSpan={channels.length + 1}>
                {title}
              </th>
            </tr>
            {kinds.map((kind) => (
              <tr key={kind}>
                <th scope="row">{kindText(kind)}</th>
                {channels.map(({ id }) => (
                  <td key={id}>
                    <label>
                      <input
                        type="checkbox"
                        aria-label={`${kindText(kind)}: ${names[id]}`}
                        checked={chosen[kind]?.includes(id) ?? false}
                        onChange={() => toggle(kind, id)}
                      />
                      <span aria-hidden="true">{names[id]}</span>
                    </label>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
