import { grants } from "./grants.ts";

/**
 * The place of a table's rows on a distributed database. The rows of one merchant stand together on one server, or every server has
 * the same rows, or the coordinator has them all.
 */
export type Placement = "by merchant" | "on every server" | "on the coordinator";

/** Tables that statements join with those of a merchant. They are written seldom, because each write needs every server. */
const onEveryServer: readonly string[] = [
  "logos",
  "blocks",
  "scan_cursors",
  "token_directory",
  "api_key_directory",
  "signer_destinations",
];

/** Tables of the deployment that no statement joins with those of a merchant. */
const onTheCoordinator: readonly string[] = [
  "address_directory",
  "deployment",
  "leases",
  "rates",
  "account_keys",
  "index_gaps",
  "audit_log",
  "people",
  "passkeys",
  "sessions",
  "memberships",
  "one_time_links",
  "shop_codes",
  "alert_samples",
  "alert_occurrences",
  "messages",
  "message_choices",
  "message_channels",
  "mail_stops",
  "scan_halts",
  "accepted_blocks",
  "rescans",
  "unattributed_transfers",
  "refund_addresses",
  "refund_transfers",
  "settlement_control",
  "signing_requests",
  "signing_results",
  "signer_state",
  "schema_version",
];

export type PlacedTable = {
  readonly table: string;
  readonly placement: Placement;
  /** the column of the merchant; undefined for a table that is not placed by merchant */
  readonly column: string | undefined;
};

/** All tables, each after those that it refers to, because a foreign key needs its target placed. */
export const placedTables: readonly PlacedTable[] = [
  ...onEveryServer.map((table) => ({ table, placement: "on every server" as const, column: undefined })),
  // Of the tables by merchant, `merchants` comes first; the others are placed beside it.
  ...["merchants", ...Object.keys(grants).filter((table) => table !== "merchants")]
    .filter((table) => !onEveryServer.includes(table) && !onTheCoordinator.includes(table))
    .map((table) => ({
      table,
      placement: "by merchant" as const,
      column: table === "merchants" ? "id" : "merchant_id",
    })),
  ...onTheCoordinator.map((table) => ({
    table,
    placement: "on the coordinator" as const,
    column: undefined,
  })),
];
