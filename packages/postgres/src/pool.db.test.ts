import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { openDatabase } from "./database.ts";
import { DatabaseUnavailableError } from "./errors.ts";
import { sql } from "./sql.ts";

/** A message of PostgreSQL's protocol: its letter, the length of the rest, and the rest. */
function message(letter: string, rest: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + rest.length);
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(rest)]);
}

it("a server that stops in the moment of a login fails the statement, and the process lives", async () => {
  const loggedIn = [message("R", "\0\0\0\0"), message("Z", "I")];
  const stopping = message("E", "SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0");
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([...loggedIn, stopping])));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const db = openDatabase({ url: `postgres://daric@127.0.0.1:${port}/daric`, onError: () => undefined });
  await expect(db.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailableError);
  await db.close();
  server.close();
});

it("a login sets nothing that a pooler refuses", async () => {
  const packets: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (bytes: Buffer) => {
      packets.push(bytes);
      socket.destroy();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const db = openDatabase({ url: `postgres://daric@127.0.0.1:${port}/daric`, onError: () => undefined });
  await expect(db.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailableError);
  const words = (packets[0]?.toString("utf8", 8) ?? "").split("\0").slice(0, -2);
  expect(words.filter((_, n) => n % 2 === 0).toSorted()).toEqual([
    "application_name",
    "client_encoding",
    "database",
    "user",
  ]);
  await db.close();
  server.close();
});
