import type { MerchantId } from "@daric/domain/ids";
import { type MessageKind, type Receiver, receiverText } from "@daric/domain/message";
import { isSameMac, macOf } from "@daric/runtime/mac";

/** What a message says and to whom. The text is made when it is sent, from rows that are checked then. */
export type Message = {
  /** `OPERATOR` for an alert */
  readonly merchantId: MerchantId;
  readonly kind: MessageKind;
  /** the id of an event, or the name of a day, an hour or an alert: a receiver is told of it once */
  readonly cause: string;
  readonly receiver: Receiver;
  readonly createdAt: Date;
};

export type SealingContext = { readonly config: { readonly integrity: { readonly key: Buffer } } };

export function messageMac({ config }: SealingContext, message: Message): Buffer {
  const { merchantId, kind, cause, receiver, createdAt } = message;
  const parts = [merchantId, kind, cause, receiverText(receiver), createdAt.getTime()];
  return macOf(config.integrity.key, "message", parts);
}

/** Whether a process with the integrity key wrote the message. */
export function isMessageMac(context: SealingContext, message: Message, mac: Buffer): boolean {
  return isSameMac(mac, messageMac(context, message));
}
