import type { MerchantId } from "@daric/domain/ids";
import {
  defaultChoices,
  type MessageChoices,
  type MessageReceiver,
  type PersonMessageKind,
} from "@daric/domain/message";
import type { Queryable } from "@daric/postgres/sql";
import { listToldMembers, listWithWorkingEndpoint, type ToldMember } from "./member-store.ts";

export type AudienceContext = {
  readonly config: {
    readonly integrity: { readonly key: Buffer };
    readonly mail: { readonly smtpUrl: string | undefined };
  };
};

/** The members of some merchants, by the messages that they want. */
export type Audience = {
  /** `isByPerson`: of a paid order, whether a person made it */
  receivers(merchantId: MerchantId, kind: PersonMessageKind, isByPerson: boolean): MessageReceiver[];
};

/** The wishes of members are read again after this time: a change counts within it in every process. */
const KNOWN_FOR_MS = 4_000;
/** Beyond this many merchants the oldest are forgotten. */
const MAX_KNOWN = 10_000;

type Known = {
  readonly readMs: number;
  readonly members: readonly ToldMember[];
  readonly hasWorkingEndpoint: boolean;
};

/** Of each process, by its configuration: what its merchants' members want. */
const knownOf = new WeakMap<object, Map<MerchantId, Known>>();

/** The members of these merchants, of one shard, and their wishes, some seconds old at most. */
export async function audienceOf(
  context: AudienceContext,
  db: Queryable,
  merchantIds: readonly MerchantId[],
): Promise<Audience> {
  const known = knownIn(context);
  const now = performance.now();
  const stale = merchantIds.filter((id) => now - (known.get(id)?.readMs ?? -Infinity) > KNOWN_FOR_MS);
  if (stale.length > 0) {
    const members = await listToldMembers(db, stale);
    const asks = members.some((member) => choicesOf(member).paid !== undefined && !member.everyPaid);
    const working = asks ? await listWithWorkingEndpoint(db, stale) : new Set<MerchantId>();
    for (const merchantId of stale) {
      const ours = members.filter((member) => member.merchantId === merchantId);
      known.delete(merchantId);
      known.set(merchantId, { readMs: now, members: ours, hasWorkingEndpoint: working.has(merchantId) });
    }
    for (const oldest of known.keys()) {
      if (known.size <= MAX_KNOWN) break;
      known.delete(oldest);
    }
  }
  const hasMail = context.config.mail.smtpUrl !== undefined;
  return {
    receivers: (merchantId, kind, isByPerson) => {
      const { members = [], hasWorkingEndpoint = false } = known.get(merchantId) ?? {};
      return members
        .filter(({ everyPaid }) => kind !== "paid" || everyPaid || isByPerson || !hasWorkingEndpoint)
        .flatMap((member) =>
          (choicesOf(member)[kind] ?? [])
            .filter((channel) => (channel === "mail" ? hasMail : member.channels.includes(channel)))
            .map((channel): MessageReceiver => ({ of: "person", personId: member.personId, channel })),
        );
    },
  };
}

/** Forgets what the members of a merchant want, after a change of it in this process. */
export function forgetAudience(context: AudienceContext, merchantId: MerchantId): void {
  knownIn(context).delete(merchantId);
}

function choicesOf({ choices, role }: Pick<ToldMember, "choices" | "role">): MessageChoices {
  return choices ?? defaultChoices(role);
}

function knownIn({ config }: AudienceContext): Map<MerchantId, Known> {
  const known = knownOf.get(config.integrity) ?? new Map<MerchantId, Known>();
  knownOf.set(config.integrity, known);
  return known;
}
