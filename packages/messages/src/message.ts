import type { MerchantId } from "@daric/domain/ids";
import { type MessageKind, type MessageReceiver, receiverText } from "@daric/domain/message";
import { isSameMac, macOf } from "@daric/runtime/mac";

/** The cause of a message and its receiver. The text is made when it is sent, from rows that are checked then. */
export type Message = {
  /** `OPERATOR` for an alert */
  readonly merchantId: MerchantId;
  readonly kind: MessageKind;
  /** the id of an event, or the name of a day, an hour or an alert: a receiver gets one message of it */
  readonly cause: string;
  readonly receiver: MessageReceiver;
  readonly createdAt: Date;
};

export type MessageSealing = { readonly config: { readonly integrity: { readonly key: Buffer } } };

export function messageMac({ config }: MessageSealing, message: Message): Buffer {
  const { merchantId, kind, cause, receiver, createdAt } = message;
  const parts = [merchantId, kind, cause, receiverText(receiver), createdAt.getTime()];
  return macOf(config.integrity.key, "message", parts);
}

/** Whether a process with the integrity key wrote the message. */
export function isMessageMac(context: MessageSealing, message: Message, mac: Buffer): boolean {
  return isSameMac(mac, messageMac(context, message));
}
