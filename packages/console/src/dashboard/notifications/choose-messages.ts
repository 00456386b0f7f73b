import { ApiError, type ErrorDetail } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import type { ChannelName, MessageChoices, PersonMessageKind } from "@daric/domain/message";
import { forgetAudience } from "@daric/messages/audience";
import { listChannels } from "@daric/messages/channel-store";
import { findChoices, type MemberChoices, saveChoices } from "@daric/messages/choice-store";
import { auditAct } from "../../people/audit-act.ts";
import type { Context, MemberChange } from "./context.ts";

/** The channels of each kind, as a form sends them. */
type Kinds = readonly { readonly kind: PersonMessageKind; readonly channels: readonly ChannelName[] }[];

export type ChoicesInput = Omit<MemberChoices, "choices"> & { readonly kinds: Kinds };

/**
 * Stores the choices of a member at a merchant, in place of those before.
 *
 * @throws VALIDATION_ERROR for a kind that is named twice, and for a channel that the member does not have.
 */
export async function chooseMessages(
  context: Context,
  { actor, merchantId, input }: MemberChange<ChoicesInput>,
): Promise<void> {
  const { kinds, ...others } = input;
  const member = { merchantId, personId: actor.session.personId };
  await context.db.transaction(async (tx) => {
    const channels = await listChannels(tx, member);
    const faults = faultsOf(kinds, new Set(["mail", ...channels.map(({ id }) => id)]));
    if (faults.length > 0) throw new ApiError("VALIDATION_ERROR", { details: faults });
    const before = (await findChoices(tx, member)) ?? null;
    const after = { choices: choicesIn(kinds), ...others };
    await saveChoices(tx, member, after);
    const subject = `person ${member.personId}`;
    await auditAct(tx, actor, { action: "choose notifications", subject, before, after, merchantId });
  });
  forgetAudience(context, merchantId);
}

function choicesIn(kinds: Kinds): MessageChoices {
  return Object.fromEntries(
    kinds.flatMap(({ kind, channels }) => (channels.length === 0 ? [] : [[kind, [...new Set(channels)]]])),
  );
}

function faultsOf(kinds: Kinds, known: ReadonlySet<string>): ErrorDetail[] {
  const rule = fieldRule("invalid");
  return kinds.flatMap(({ kind, channels }, index) => [
    ...(kinds.findIndex((other) => other.kind === kind) === index
      ? []
      : [{ path: `kinds.${index}.kind`, message: "is named twice", rule }]),
    ...channels.flatMap((channel, place) =>
      known.has(channel)
        ? []
        : [{ path: `kinds.${index}.channels.${place}`, message: "is no channel of yours", rule }],
    ),
  ]);
}
