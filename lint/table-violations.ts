import { globalRules, packagesAtMost } from "./global-rules.ts";
import { findFaultsOfTable } from "./import-violations.ts";
import { type Room, rooms } from "./rooms.ts";

/** A row that a global rule forbids, and a part of the expected message. */
type RowViolation = { room: string; change: (row: Room) => Room; fault: string };

function importing(room: string, name: string, fault: string): RowViolation {
  return { room, change: (row) => ({ ...row, may: [...row.may, name] }), fault };
}

const rowViolations: readonly RowViolation[] = [
  importing("server/domain", "server/runtime", "domain imports only itself"),
  importing("tron", "postgres/sql", "tron imports no other workspace"),
  importing("postgres", "tron/hash", "postgres imports no other workspace"),
  importing("sdk", "tron/hash", "sdk imports no other workspace"),
  importing("server/charges", "testing/until", "published programs import no test code"),
  importing("server", "devchain", "the service needs neither devchain nor demo"),
  importing(
    "server/checkout/page",
    "checkout/projection",
    "serves the payer's scripts without importing them",
  ),
  importing("server/deployment", "postgres/embedded", "the service never starts PostgreSQL"),
  importing("server/cli", "tron/keys/account-keys", "only the signer loads private keys"),
  importing("tron", "tron/keys", "only the signer loads private keys"),
  importing("signer", "server/runtime", "the signer depends on tron and postgres only"),
  importing("demo", "signer/bin", "no other program loads the signer"),
  importing(
    "checkout",
    "server/domain/money",
    "the scripts of the payer's browser import nothing from the server",
  ),
  importing(
    "server/http",
    "server/process/config.ts",
    "only the assembly imports the parts that start a process",
  ),
  importing("server/charges", "server/http", "a feature uses HTTP in routes.ts and schema.ts only"),
  importing("server/deposits", "server/charges", "never a store"),
  importing("server/deposits", "server/charges/store.ts", "never a store"),
  importing("server/charges", "server/webhooks/events/event-store.ts", "never a store"),
  importing("server/totals", "server/domain/no-such-file.ts", "there is no server/domain/no-such-file.ts"),
  importing(
    "server/domain",
    "server/chain/nodes",
    "a cycle: server/domain → server/chain/nodes → server/domain",
  ),
  importing("devchain/http", "devchain/producer.ts", "a cycle: devchain → devchain/http → devchain"),
  importing(
    "server/checkout/page",
    "server/checkout/store.ts",
    "a cycle: server/checkout → server/checkout/page → server/checkout",
  ),
  ...Object.keys(packagesAtMost).flatMap((room) => {
    const fault = `${room} imports packages at most of these`;
    return [
      { room, change: ({ packages: _, ...row }: Room) => row, fault },
      { room, change: (row: Room) => ({ ...row, packages: ["undici"] }), fault },
    ];
  }),
];

/** Reports planted rows that pass, and global rules without a planted row. */
export function checkTable(): string[] {
  const idle = globalRules
    .filter(({ why }) => !rowViolations.some(({ fault }) => why.includes(fault)))
    .map(({ why }) => `no row was planted against the global rule "${why}"`);
  const unseen = rowViolations.flatMap(({ room, change, fault }) => {
    const row = rooms[room];
    if (row === undefined) return [`there is no room ${room} to plant a row for`];
    const found = findFaultsOfTable({ ...rooms, [room]: change(row) });
    const isFound = found.some((text) => text.includes(fault));
    return isFound ? [] : [`a row of ${room} should be refused: "${fault}"; found: ${found.join("; ")}`];
  });
  return [...idle, ...unseen];
}
