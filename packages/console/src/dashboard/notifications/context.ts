import type { MerchantId } from "@daric/domain/ids";
import type { TargetSettings } from "@daric/egress/allowed-targets";
import type { NetworkAccess } from "@daric/egress/guarded-dial";
import type { AudienceContext } from "@daric/messages/audience";
import type { ContextOf } from "@daric/runtime/context";
import type { Actor } from "../../people/context.ts";

/** The master key seals the chats of members, and the bot of the deployment is named to them. */
export type Context = Pick<
  ContextOf<
    AudienceContext["config"] & {
      readonly egress: TargetSettings;
      readonly alerts: { readonly telegramToken: string | undefined };
      readonly webhooks: { readonly masterKey: Buffer; readonly previousMasterKey?: Buffer | undefined };
    }
  >,
  "db" | "config" | "clock"
> & {
  /** the network; injected by tests */
  readonly access?: NetworkAccess | undefined;
};

/** A change that a member makes for themself, at one merchant. */
export type MemberChange<T> = { readonly actor: Actor; readonly merchantId: MerchantId; readonly input: T };
