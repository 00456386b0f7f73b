import { globalRules, packagesAtMost } from "./global-rules.ts";
import { findFaultsOfTable } from "./import-violations.ts";
import { type Room, rooms } from "./rooms.ts";

/** A row that the laws forbid, and a part of the expected message. */
type RowViolation = { room: string; change: (row: Room) => Room; fault: string };

function importing(room: string, name: string, fault: string): RowViolation {
  return { room, change: (row) => ({ ...row, may: [...row.may, name] }), fault };
}

const rowViolations: readonly RowViolation[] = [
  importing("server/domain", "server/runtime", "domain imports nothing but itself"),
  importing("tron", "postgres/sql", "tron imports nothing of ours"),
  importing("postgres", "tron/hash", "postgres imports nothing of ours"),
  importing("sdk", "tron/hash", "sdk imports nothing of ours"),
  importing("server/charges", "testing/until", "what ships imports nothing that is made for tests"),
  importing("server", "devchain", "the service runs without a chain of ours"),
  importing("server/checkout/page", "checkout/projection", "hands the payer's scripts on unread"),
  importing("server/deployment", "postgres/embedded", "the service never opens the launcher"),
  importing("server/cli", "tron/keys/account-keys", "the signer alone loads private keys"),
  importing("tron", "tron/keys", "the signer alone loads private keys"),
  importing("signer", "server/runtime", "the signer stands on tron and postgres alone"),
  importing("demo", "signer/bin", "no other program loads the signer"),
  importing("checkout", "server/domain/money", "the payer's browser knows no server"),
  importing(
    "server/http",
    "server/process/config.ts",
    "what a process is put together from is above every room",
  ),
  importing("server/charges", "server/http", "a feature speaks HTTP in routes.ts and schema.ts only"),
  importing("server/deposits", "server/charges", "never in each other's store"),
  importing("server/deposits", "server/charges/store.ts", "never in each other's store"),
  importing("server/charges", "server/webhooks/events/event-store.ts", "never in each other's store"),
  importing("server/totals", "server/domain/no-such-file.ts", "there is no server/domain/no-such-file.ts"),
  importing(
    "server/domain",
    "server/chain/nodes",
    "a circle: server/domain → server/chain/nodes → server/domain",
  ),
  importing("devchain/http", "devchain/producer.ts", "a circle: devchain → devchain/http → devchain"),
  importing(
    "server/checkout/page",
    "server/checkout/store.ts",
    "a circle: server/checkout → server/checkout/page → server/checkout",
  ),
  ...Object.keys(packagesAtMost).flatMap((room) => {
    const fault = `${room} imports packages at most of these`;
    return [
      { room, change: ({ packages: _, ...row }: Room) => row, fault },
      { room, change: (row: Room) => ({ ...row, packages: ["undici"] }), fault },
    ];
  }),
];

/** Planted rows that pass, and laws without a planted row. */
export function checkTable(): string[] {
  const idle = globalRules
    .filter(({ why }) => !rowViolations.some(({ fault }) => why.includes(fault)))
    .map(({ why }) => `no row was planted against the law "${why}"`);
  const unseen = rowViolations.flatMap(({ room, change, fault }) => {
    const row = rooms[room];
    if (row === undefined) return [`there is no room ${room} to plant a row for`];
    const found = findFaultsOfTable({ ...rooms, [room]: change(row) });
    const isFound = found.some((text) => text.includes(fault));
    return isFound ? [] : [`a row of ${room} should be refused: "${fault}"; found: ${found.join("; ")}`];
  });
  return [...idle, ...unseen];
}
