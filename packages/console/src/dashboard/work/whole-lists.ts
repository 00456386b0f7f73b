import type { Environment } from "@daric/domain/api-scope";
import type { MerchantId } from "@daric/domain/ids";
import { listApiKeys } from "@daric/merchants/api-key-store";
import type { Queryable } from "@daric/postgres/sql";
import { listOpenLinks } from "../../people/members/link-store.ts";
import { listMembers } from "../../people/members/membership-store.ts";
import { toInvitationRow, toMemberRow } from "../../people/members/schema.ts";
import { toKeyRow } from "../keys/schema.ts";

/** The columns of the lists that are short enough to be read at once. */
export const wholeColumns = {
  keys: ["id", "created_at", "prefix", "name", "scopes", "expires_at", "revoked_at", "last_used_at"],
  people: ["id", "joined_at", "name", "email", "role", "has_second_factor", "disabled", "last_seen_at"],
  invitations: ["id", "created_at", "email", "role", "invited_by", "expires_at"],
} as const;

export type WholeList = keyof typeof wholeColumns;
type Question = { readonly merchantId: MerchantId; readonly environment: Environment };

/** All rows of the list, as the API shows them. */
export async function readWhole(
  db: Queryable,
  list: WholeList,
  { merchantId, environment }: Question,
): Promise<object[]> {
  switch (list) {
    case "keys":
      return (await listApiKeys(db, merchantId)).map((key) => toKeyRow(key, environment));
    case "invitations":
      return (await listOpenLinks(db, merchantId)).map(toInvitationRow);
    case "people":
      return (await listMembers(db, merchantId)).map(toMemberRow);
  }
}

/** When the row came into the list. */
export function madeAt(row: object): Date {
  const { created_at: createdAt, joined_at: joinedAt } = row as { created_at?: string; joined_at?: string };
  return new Date(createdAt ?? joinedAt ?? 0);
}
