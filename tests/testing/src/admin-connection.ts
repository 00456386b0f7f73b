import { withDedicatedClient } from "@daric/postgres/dedicated-client";

/** Runs one statement outside any test's database, such as `create role`. */
export async function executeAsAdmin(url: string, statement: string): Promise<void> {
  await withDedicatedClient({ connectionString: url }, (client) => client.query(statement));
}

type Execute = (statement: string) => Promise<unknown>;

const kept = new Map<string, Promise<Execute>>();

/** Runs a statement on a kept connection, one after another, because tests create and drop a thousand databases. */
export async function executeOften(url: string, statement: string): Promise<void> {
  const known = kept.get(url) ?? keepConnection(url);
  kept.set(url, known);
  const execute = await known;
  await execute(statement);
}

function keepConnection(url: string): Promise<Execute> {
  return new Promise((resolve, reject) => {
    const borrowed = withDedicatedClient({ connectionString: url }, (client) => {
      const isLost = new Promise((lost) => client.once("end", lost));
      let last: Promise<unknown> = Promise.resolve();
      resolve((statement) => {
        const next = last.then(() => client.query(statement));
        last = next.catch(() => undefined);
        return next;
      });
      return isLost;
    });
    borrowed.catch(reject).finally(() => kept.delete(url));
  });
}

export function urlOfDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
