import { merchantRoles } from "@daric/domain/merchant-role";
import { timestamp } from "@daric/http/validate";
import { z } from "zod";
import { email, name, sessionRow } from "../schema.ts";
import type { OneTimeLink } from "./link-store.ts";
import type { IssuedLink } from "./links.ts";
import type { MerchantMember } from "./membership-store.ts";

const role = z.enum(merchantRoles);
const id = z.string().meta({ format: "uuid" });
const MAX_TOKEN_CHARS = 200;
const MAX_SECRET_CHARS = 400;

export const memberRow = z.object({
  id,
  email: z.string(),
  name: z.string(),
  role,
  has_second_factor: z.boolean(),
  disabled: z.boolean(),
  joined_at: timestamp,
  last_seen_at: timestamp.nullable(),
});

export function toMemberRow(member: MerchantMember): z.input<typeof memberRow> {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    has_second_factor: member.hasSecondFactor,
    disabled: member.isDisabled,
    joined_at: member.joinedAt.toISOString(),
    last_seen_at: member.lastSeenAt?.toISOString() ?? null,
  };
}

export const roleBody = z.object({
  role,
  shownRole: role.optional().meta({ description: "The role that the form shows as the present one." }),
});
export const invitationBody = z.object({ email, role });
export const invitationRow = z.object({
  id,
  email: z.string(),
  role: role.nullable(),
  merchant_id: id.nullable(),
  invited_by: id.nullable(),
  created_at: timestamp,
  expires_at: timestamp,
});
/** An open link of the service: it invites an operator, or resets a password. */
export const serviceLinkRow = invitationRow
  .omit({ role: true, merchant_id: true })
  .extend({ kind: z.enum(["invitation", "reset"]), resets_second_factor: z.boolean() });
export const issuedInvitation = invitationRow.extend({
  link: z.string().nullable().meta({
    description:
      "The link to send. No other answer has it. Null where it was mailed: its person alone has it.",
  }),
  is_mailed: z
    .boolean()
    .meta({ description: "Whether the mail server of the service took it for its person." }),
});

export function toInvitationRow(link: OneTimeLink): z.input<typeof invitationRow> {
  return {
    id: link.id,
    email: link.email,
    role: link.role,
    merchant_id: link.merchantId,
    invited_by: link.madeBy,
    created_at: link.createdAt.toISOString(),
    expires_at: link.expiresAt.toISOString(),
  };
}

export function toServiceLinkRow(link: OneTimeLink): z.input<typeof serviceLinkRow> {
  const { role, merchant_id, ...row } = toInvitationRow(link);
  return { ...row, kind: link.kind, resets_second_factor: link.resetsSecondFactor };
}

export function toIssuedInvitation({ link, url, isMailed }: IssuedLink): z.input<typeof issuedInvitation> {
  return { ...toInvitationRow(link), link: isMailed ? null : url, is_mailed: isMailed };
}

const token = z.string().max(MAX_TOKEN_CHARS);
export const lookUpBody = z.object({ token });
export const acceptLinkBody = z.object({
  token,
  name: name.optional(),
  password: z.string().max(MAX_SECRET_CHARS).optional(),
});

export const linkRow = z.object({
  kind: z.enum(["invitation", "reset"]),
  email: z.string(),
  merchant_name: z.string().nullable(),
  role: role.nullable(),
  is_operator: z.boolean(),
  has_account: z.boolean(),
  expires_at: timestamp,
});

/** After a reset there is no session: sign in. */
export const acceptedLink = z.object({ session: sessionRow.nullable() });
