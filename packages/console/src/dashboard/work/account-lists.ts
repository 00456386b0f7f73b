import type { ReadPart } from "@daric/books/files/export";
import {
  type ExportList,
  isOfRange,
  type ListSource,
  newestFirst,
  page,
  pickColumns,
  type RowRange,
  within,
} from "@daric/books/lists/list-parts";
import { listApiKeys } from "@daric/merchants/api-key-store";
import type { Queryable } from "@daric/postgres/sql";
import { listOpenLinks } from "../../people/members/link-store.ts";
import { listMembers } from "../../people/members/membership-store.ts";
import { toInvitationRow, toMemberRow } from "../../people/members/schema.ts";
import { toWalletRequestRow } from "../account/schema.ts";
import { listWalletRequests } from "../account/wallet-request-store.ts";
import { readAudit } from "../audit/read-audit.ts";
import { toAuditRow } from "../audit/routes.ts";
import { toKeyRow } from "../keys/schema.ts";

type ReadWhole = (db: Queryable, source: ListSource) => Promise<object[]>;

/** A list that is short enough to be read at once. */
function whole(columns: readonly string[], read: ReadWhole): ExportList<RowRange> {
  const open =
    (source: ListSource, range: RowRange): ReadPart =>
    async (db) => ({
      rows: (await read(db, source))
        .filter((row) => isOfRange(range, madeAt(row)))
        .map((row) => pickColumns(row, columns)),
      next: undefined,
    });
  return { scope: "account:read", columns, open };
}

/** When the row came into the list. */
function madeAt(row: object): Date {
  const { created_at: createdAt, joined_at: joinedAt } = row as { created_at?: string; joined_at?: string };
  return new Date(createdAt ?? joinedAt ?? 0);
}

const walletColumns = ["id", "created_at", "address", "label", "requested_by", "status", "withdrawn_at"];
const auditColumns = ["id", "at", "actor", "action", "subject", "before", "after", "reason", "address"];

/** The lists of a merchant's account that can be exported. */
export const accountLists = {
  keys: whole(
    ["id", "created_at", "prefix", "name", "scopes", "expires_at", "revoked_at", "last_used_at"],
    async (db, { merchantId, config }) =>
      (await listApiKeys(db, merchantId)).map((key) => toKeyRow(key, config.environment)),
  ),
  wallets: {
    scope: "account:read",
    columns: walletColumns,
    open: ({ merchantId }, range) =>
      newestFirst(walletColumns, range, async (db, after) => {
        const { limit } = page(after);
        const read = await listWalletRequests(db, merchantId, { limit, after: after as never });
        return { read, shown: within(range, read).map(toWalletRequestRow) };
      }),
  },
  people: whole(
    ["id", "joined_at", "name", "email", "role", "has_second_factor", "disabled", "last_seen_at"],
    async (db, { merchantId }) => (await listMembers(db, merchantId)).map(toMemberRow),
  ),
  invitations: whole(
    ["id", "created_at", "email", "role", "invited_by", "expires_at"],
    async (db, { merchantId }) => (await listOpenLinks(db, merchantId)).map(toInvitationRow),
  ),
  audit: {
    scope: "account:read",
    columns: auditColumns,
    open: ({ merchantId, scopes }, range) =>
      newestFirst(auditColumns, range, async (db, after) => {
        const start = after === undefined ? null : BigInt(after);
        const { limit } = page(after);
        const read = await readAudit(db, scopes, { merchantId, ...range, after: start, limit });
        return { read, shown: read.map(toAuditRow) };
      }),
  },
} as const satisfies Readonly<Record<string, ExportList<RowRange>>>;
