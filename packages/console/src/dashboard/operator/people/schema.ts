import { merchantRoles } from "@daric/domain/merchant-role";
import { timestamp, uuid } from "@daric/http/validate";
import { z } from "zod";
import type { ListedPerson } from "../../../people/members/membership-store.ts";
import { email } from "../../../people/schema.ts";

const id = z.string().meta({ format: "uuid" });
const role = z.enum(merchantRoles);

export const resetBody = z.object({ secondFactor: z.boolean().default(false) });

export const personInvitationBody = z
  .object({ email, merchantId: uuid("merchant").optional(), role: role.optional() })
  .refine(({ merchantId, role: given }) => (merchantId === undefined) === (given === undefined), {
    path: ["role"],
    message: "must be given with merchantId; without both the person becomes an operator",
  });

export const personRow = z.object({
  id,
  email: z.string(),
  name: z.string(),
  is_operator: z.boolean(),
  has_second_factor: z.boolean(),
  disabled_at: timestamp.nullable(),
  memberships: z.array(z.object({ merchant_id: id, role })),
});

export function toPersonRow(person: ListedPerson): z.input<typeof personRow> {
  return {
    id: person.id,
    email: person.email,
    name: person.name,
    is_operator: person.isOperator,
    has_second_factor: person.hasSecondFactor,
    disabled_at: person.disabledAt?.toISOString() ?? null,
    memberships: person.memberships.map(({ merchantId, role: held }) => ({
      merchant_id: merchantId,
      role: held,
    })),
  };
}
