import type { AskedChat, Channel } from "../../api/account-operations.ts";
import { useChange } from "../../api/use-call.ts";
import { timeText } from "../../format/time.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/form.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import { language, words } from "../../words/words.ts";
import { NOTIFICATIONS } from "./notifications-read.ts";

type Props = {
  /** the answer with the code, which no other answer has */
  readonly asked: AskedChat;
  /** the channel as it stands now; undefined once its code is too old */
  readonly channel: Channel | undefined;
  readonly onClose: () => void;
};

/** Leads a person's code to a Telegram chat, and asks whether the chat that used it is the right one. */
export function LinkTelegram({ asked, channel, onClose }: Props) {
  const text = words.notifications;
  return (
    <Dialog title={text.addTelegram} onClose={onClose}>
      <div className="form" aria-live="polite">
        {channel === undefined && <p className="fault">{text.expired}</p>}
        {channel?.status === "waiting_for_code" && <Ask asked={asked} />}
        {channel?.status === "waiting_for_confirmation" && <Confirm channel={channel} onClose={onClose} />}
        {channel?.status === "active" && <p>{text.confirmed({ name: channel.name ?? "" })}</p>}
        {channel?.status !== "waiting_for_confirmation" && (
          <div className="buttons">
            <Button onClick={onClose}>{words.common.close}</Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

function Ask({ asked: { link, group_link, code_expires_at } }: { readonly asked: AskedChat }) {
  const text = words.notifications;
  const until = code_expires_at === null ? "" : timeText(code_expires_at, language);
  return (
    <div className="ready link-chat">
      <QrCode content={link ?? ""} label={text.scan} />
      <div className="form">
        <p>{text.codeHint({ until })}</p>
        <a className="button primary" href={link ?? ""} target="_blank" rel="noreferrer">
          {text.open}
        </a>
        <a className="button plain" href={group_link ?? ""} target="_blank" rel="noreferrer">
          {text.addToGroup}
        </a>
        <p className="hint">{text.waiting}…</p>
      </div>
    </div>
  );
}

function Confirm({ channel, onClose }: { readonly channel: Channel; readonly onClose: () => void }) {
  const confirm = useChange("POST /dashboard/v1/notifications/channels/{id}/confirm", [NOTIFICATIONS]);
  const remove = useChange("DELETE /dashboard/v1/notifications/channels/{id}", [NOTIFICATIONS]);
  const input = { path: { id: channel.id } };
  return (
    <>
      <p>{words.notifications.used({ name: channel.name ?? "" })}</p>
      <Problem error={confirm.error ?? remove.error} />
      <div className="buttons">
        <Button kind="primary" isBusy={confirm.isPending} onClick={() => confirm.mutate(input)}>
          {words.signIn.confirm}
        </Button>
        <Button
          kind="quiet"
          className="is-danger"
          isBusy={remove.isPending}
          onClick={() => remove.mutate(input, { onSuccess: onClose })}
        >
          {words.common.remove}
        </Button>
      </div>
    </>
  );
}
