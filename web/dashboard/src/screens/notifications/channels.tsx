import { useState } from "react";
import type { AskedChat, Channel, Notifications } from "../../api/account-operations.ts";
import { useChange } from "../../api/use-call.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, Problem } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";
import { channelNames } from "./channel-words.ts";
import { LinkTelegram } from "./link-telegram.tsx";
import { isBeingTested, NOTIFICATIONS, useWatched } from "./notifications-read.ts";

/** The mail and the chats of a person, and how to add one. */
export function Channels({ read }: { readonly read: Notifications }) {
  useWatched(read);
  const names = channelNames(read.channels);
  return (
    <Section title={words.notifications.where}>
      <ul className="lines">
        {read.channels.map((channel) => (
          <li key={channel.id} className="channel">
            <div>
              <strong>{channel.kind === "mail" ? channel.name : names[channel.id]}</strong>{" "}
              <span className="hint">{kindName(channel)}</span>
              <Standing channel={channel} />
            </div>
            {channel.kind !== "mail" && <ChannelActions channel={channel} name={names[channel.id] ?? ""} />}
          </li>
        ))}
      </ul>
      <AddChannel read={read} />
    </Section>
  );
}

function kindName({ kind }: Channel): string {
  if (kind === "telegram") return "Telegram";
  return kind === "mail" ? words.common.email : words.notifications.chat;
}

/** The fault of a channel, or the thing that it waits for, or the result of its test. */
function Standing({ channel }: { readonly channel: Channel }) {
  const { status, failure, name, test } = channel;
  const text = words.notifications;
  if (status === "waiting_for_code") return <p className="hint">{text.waiting}</p>;
  if (status === "waiting_for_confirmation") return <p>{text.used({ name: name ?? "" })}</p>;
  if (status === "failing") return <p className="fault">{text.failing({ reason: failure ?? "" })}</p>;
  if (isBeingTested(channel))
    return (
      <p className="hint" role="status">
        {text.testing}
      </p>
    );
  if (test?.failure) return <p className="fault">{text.testFailed({ reason: test.failure })}</p>;
  return test?.sent_at ? (
    <p className="hint" role="status">
      {text.tested}
    </p>
  ) : null;
}

function ChannelActions({ channel, name }: { readonly channel: Channel; readonly name: string }) {
  const confirm = useChange("POST /dashboard/v1/notifications/channels/{id}/confirm", [NOTIFICATIONS]);
  const test = useChange("POST /dashboard/v1/notifications/channels/{id}/test", [NOTIFICATIONS]);
  const remove = useChange("DELETE /dashboard/v1/notifications/channels/{id}", [NOTIFICATIONS]);
  const text = words.notifications;
  const input = { path: { id: channel.id } };
  return (
    <div className="buttons">
      {channel.status === "waiting_for_confirmation" && (
        <Button kind="primary" isBusy={confirm.isPending} onClick={() => confirm.mutate(input)}>
          {words.signIn.confirm}
        </Button>
      )}
      {!channel.status.startsWith("waiting") && (
        <Button isBusy={test.isPending} onClick={() => test.mutate(input)}>
          {text.test}
        </Button>
      )}
      <ConfirmButton
        kind="danger"
        label={words.common.remove}
        hint={text.removeHint({ name })}
        change={remove}
        onConfirm={() => remove.mutateAsync(input)}
      />
      <Problem error={confirm.error ?? test.error} />
    </div>
  );
}

function AddChannel({ read }: { readonly read: Notifications }) {
  const ask = useChange("POST /dashboard/v1/notifications/channels", [NOTIFICATIONS]);
  const [asked, setAsked] = useState<AskedChat>();
  const [isAdding, setAdding] = useState(false);
  const text = words.notifications;
  const askTelegram = () => ask.mutate({ body: { kind: "telegram" } }, { onSuccess: setAsked });
  return (
    <>
      <div className="buttons">
        {read.telegram_configured && (
          <Button isBusy={ask.isPending} onClick={askTelegram}>
            {text.addTelegram}
          </Button>
        )}
        <Button onClick={() => setAdding(true)}>{text.addUrl}</Button>
      </div>
      {!read.telegram_configured && <p className="hint">{text.noTelegram}</p>}
      <Problem error={ask.error} />
      {asked && (
        <LinkTelegram
          asked={asked}
          channel={read.channels.find(({ id }) => id === asked.id)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {isAdding && <AddUrl onClose={() => setAdding(false)} />}
    </>
  );
}

function AddUrl({ onClose }: { readonly onClose: () => void }) {
  const add = useChange("POST /dashboard/v1/notifications/channels", [NOTIFICATIONS]);
  const text = words.notifications;
  return (
    <Dialog title={text.addUrl} onClose={onClose}>
      <Form
        submit={text.addUrl}
        isBusy={add.isPending}
        error={add.error}
        onCancel={onClose}
        onSubmit={({ url = "" }) => add.mutate({ body: { kind: "url", url } }, { onSuccess: onClose })}
      >
        <TextField
          label={text.url}
          hint={text.urlHint}
          name="url"
          type="url"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
        />
      </Form>
    </Dialog>
  );
}
