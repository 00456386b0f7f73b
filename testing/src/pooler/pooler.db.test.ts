import { once } from "node:events";
import { connect } from "node:net";
import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { sql } from "@daric/postgres/sql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmptyDatabase, type TestDatabase } from "../database.ts";
import { CANCEL_REQUEST, int32, MessageReader, startupMessage, texts, wireMessage } from "./messages.ts";
import { type Pooler, startPooler } from "./pooler.ts";

let test: TestDatabase;
let pooler: Pooler;
beforeAll(async () => {
  test = await createEmptyDatabase();
  pooler = await startPooler(test.directUrl("the pooler itself"), { backends: 3 });
});
afterAll(async () => {
  await pooler.close();
  await test.drop();
});

const withClient = <T>(work: (client: Client) => Promise<T>) =>
  withDedicatedClient({ connectionString: pooler.url }, work);
type Client = Parameters<Parameters<typeof withDedicatedClient>[1]>[0];
const pidOf = async (client: Client) =>
  (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;

/** A raw client. `ask` sends messages and returns the response types until the server is ready. */
async function openRaw(parameters: Record<string, string> = {}) {
  const { hostname, port, username, pathname } = new URL(pooler.url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  const reader = new MessageReader();
  const received: { type: string; text: string }[] = [];
  socket.on("data", (chunk: Buffer) => {
    for (const { type, bytes } of reader.read(chunk))
      received.push({ type, text: bytes.toString("latin1", 5) });
  });
  const ready = async () => {
    await expect.poll(() => received.at(-1)?.type === "Z" || socket.closed).toBe(true);
    return received.splice(0);
  };
  socket.write(startupMessage({ user: username, database: pathname.slice(1), ...parameters }));
  const greeting = await ready();
  return {
    greeting,
    send: async (...messages: Buffer[]) => {
      socket.write(Buffer.concat(messages));
      return ready();
    },
    end: () => socket.destroy(),
  };
}

const parse = (name: string, text: string) => wireMessage("P", name, text, Buffer.from([0, 0]));
const bind = (name: string) => wireMessage("B", "", name, Buffer.alloc(6));
const execute = wireMessage("E", "", int32(0));
const sync = wireMessage("S");
const closing = (name: string) => wireMessage("C", Buffer.from("S"), name);
const describing = (name: string) => wireMessage("D", Buffer.from("S"), name);
const types = (messages: { type: string }[]) => messages.map(({ type }) => type).join("");

describe("a connection", () => {
  it.each(["statement_timeout", "options", "search_path", "lock_timeout"])(
    "that sets %s at its start is refused as PgBouncer does",
    async (name) => {
      const { greeting } = await openRaw({ [name]: "1" });
      expect(types(greeting)).toBe("E");
      expect(greeting[0]?.text).toContain("C08P01\0");
      expect(greeting[0]?.text).toContain(`unsupported startup parameter: ${name}`);
    },
  );

  it("of another user or to another database is refused", async () => {
    expect((await openRaw({ user: "somebody" })).greeting[0]?.text).toContain("C28000");
    expect((await openRaw({ database: "other" })).greeting[0]?.text).toContain("C28000");
  });

  it("gets the server's message when the server refuses it", async () => {
    const url = Object.assign(new URL(test.directUrl("the pooler itself")), { password: "wrong" });
    const closed = await startPooler(url.href);
    const work = withDedicatedClient({ connectionString: closed.url }, async () => undefined);
    await expect(work).rejects.toMatchObject({ code: "28P01" });
    await closed.close();
  });
});

describe("transactions", () => {
  it("each get another backend than the one before, and keep it until they end", async () => {
    await withClient(async (client) => {
      let last: number | undefined;
      for (let n = 0; n < 6; n++) {
        await client.query("begin");
        const pid = await pidOf(client);
        expect(pid).not.toBe(last);
        expect(await pidOf(client)).toBe(pid);
        await client.query(n % 2 === 0 ? "commit" : "rollback");
        last = pid;
      }
    });
  });

  it("find no state of an earlier session", async () => {
    await withClient(async (client) => {
      await client.query("set statement_timeout = '77s'");
      const { rows } = await client.query("show statement_timeout");
      expect(rows).not.toEqual([{ statement_timeout: "77s" }]);
    });
  });

  it("of many clients share few backends in turn", async () => {
    const seen = await Promise.all(
      Array.from({ length: 20 }, () =>
        withClient(async (client) => {
          await client.query("begin");
          const pid = await pidOf(client);
          await client.query("commit");
          return pid;
        }),
      ),
    );
    expect(new Set(seen).size).toBeLessThanOrEqual(3);
  });

  it("that failed keep their backend until their rollback", async () => {
    await withClient(async (client) => {
      await client.query("begin");
      await expect(client.query("select broken")).rejects.toMatchObject({ code: "42703" });
      await expect(client.query("select 1")).rejects.toMatchObject({ code: "25P02" });
      await client.query("rollback");
      expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    });
  });

  it("left open by a disconnected client reach no other", async () => {
    await test.owner.query(sql`create table left_open (id int)`);
    const client = await openRaw();
    await client.send(wireMessage("Q", "begin; insert into left_open values (1)"));
    client.end();
    await withClient(async (other) => {
      for (let n = 0; n < 5; n++)
        expect(
          (
            await other.query(
              "select count(*)::int as n, pg_current_xact_id_if_assigned() as x from left_open",
            )
          ).rows,
        ).toEqual([{ n: 0, x: null }]);
    });
  });
});

it("in session mode a client keeps its backend and its settings", async () => {
  const kept = await startPooler(test.directUrl("the pooler itself"), { mode: "session" });
  await withDedicatedClient({ connectionString: kept.url }, async (client) => {
    const pid = await pidOf(client);
    await client.query("set statement_timeout = '77s'");
    for (let n = 0; n < 4; n++) expect(await pidOf(client)).toBe(pid);
    expect((await client.query("show statement_timeout")).rows).toEqual([{ statement_timeout: "77s" }]);
  });
  await kept.close();
});

describe("named statements", () => {
  it("work in every transaction on any backend, under the backend's own names", async () => {
    await withClient(async (client) => {
      for (let n = 0; n < 8; n++) {
        const query = { name: "mine", text: "select $1::int + 1 as next", values: [n] };
        expect((await client.query(query)).rows).toEqual([{ next: n + 1 }]);
      }
      const { rows } = await client.query(
        "select name from pg_prepared_statements where statement like '%+ 1 as next'",
      );
      expect(rows).toEqual([{ name: expect.stringMatching(/^pooled_\d+$/) }]);
    });
  });

  it("of two clients with one name and two texts are different", async () => {
    await withClient((one) =>
      withClient(async (two) => {
        for (let n = 0; n < 4; n++) {
          expect((await one.query({ name: "same", text: "select 1 as it" })).rows).toEqual([{ it: 1 }]);
          expect((await two.query({ name: "same", text: "select 2 as it" })).rows).toEqual([{ it: 2 }]);
        }
      }),
    );
  });

  it("are answered in order, also when the pooler itself answers", async () => {
    const client = await openRaw();
    const first = await client.send(parse("a", "select 5"), describing("a"), bind("a"), execute, sync);
    expect(types(first)).toBe("1tT2DCZ");
    for (let n = 0; n < 4; n++)
      expect(types(await client.send(describing("a"), bind("a"), execute, sync))).toBe("tT2DCZ");
    const other = await openRaw();
    expect(types(await other.send(parse("b", "select 5"), bind("b"), execute, closing("b"), sync))).toBe(
      "12DC3Z",
    );
    client.end();
    other.end();
  });

  it("that were never prepared or are closed do not exist", async () => {
    const client = await openRaw();
    expect((await client.send(bind("none"), execute, sync))[0]?.text).toContain("C26000");
    await client.send(parse("a", "select 6"), sync);
    expect(types(await client.send(closing("a"), sync))).toBe("3Z");
    expect((await client.send(bind("a"), execute, sync))[0]?.text).toContain("C26000");
    client.end();
  });

  it("cannot be prepared twice under one name, and a failed one does not exist", async () => {
    const client = await openRaw();
    await client.send(parse("a", "select 7"), sync);
    expect((await client.send(parse("a", "select 7"), sync))[0]?.text).toContain("C42P05");
    expect((await client.send(parse("b", "select broken"), bind("b"), execute, sync))[0]?.text).toContain(
      "C42703",
    );
    expect(types(await client.send(parse("b", "select 8"), bind("b"), execute, sync))).toBe("12DCZ");
    client.end();
  });

  it("behind an error are skipped until the sync, and later ones are answered", async () => {
    const client = await openRaw();
    const answers = await client.send(
      parse("a", "select 1 / (random() * 0)::int"),
      bind("a"),
      execute,
      parse("c", "select 9"),
      bind("c"),
      execute,
      sync,
    );
    expect(types(answers)).toBe("12EZ");
    expect((await client.send(bind("c"), execute, sync))[0]?.text).toContain("C26000");
    expect(types(await client.send(parse("c", "select 9"), bind("c"), execute, sync))).toBe("12DCZ");
    client.end();
  });
});

it("a cancel request reaches the client's backend", async () => {
  await withClient(async (client) => {
    const sleeping = client.query("select pg_sleep(20)").catch((error: unknown) => error);
    const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
    const { hostname, port } = new URL(pooler.url);
    await expect
      .poll(async () => {
        const socket = connect(Number(port), hostname);
        socket.end(Buffer.concat([int32(16), int32(CANCEL_REQUEST), int32(processID), int32(secretKey)]));
        await once(socket, "close");
        return Promise.race([sleeping, "sleeps"]);
      })
      .toMatchObject({ code: "57014" });
  });
});

it("a text ends at its zero byte, and the bytes after it are kept", () => {
  const { texts: found, rest } = texts(wireMessage("P", "name", "text", int32(7)), 2);
  expect([found, rest.readInt32BE(0)]).toEqual([["name", "text"], 7]);
});
