import type { PoolUse } from "@daric/postgres/database";
import { type Database, one, sql } from "@daric/postgres/sql";

export type Pool = Database & { use(): PoolUse };
type Made = { readonly db: Pool; readonly owner: Pool; drop(): Promise<void> };

/**
 * Emptied databases, with open connections: a new one costs as much as a short test. They are of one test file, since
 * deleted rows change what the plans of another file read.
 */
let returned: { readonly testPath: string; readonly databases: Made[] } = { testPath: "", databases: [] };

/**
 * A database of the template: a returned one of the same test file, or one that `make` creates. Its `drop` returns it if
 * it can be emptied, and drops it otherwise. Its connections refuse statements afterwards.
 */
export async function takeDatabase<D extends Made>(testPath: string, make: () => Promise<D>): Promise<D> {
  const { databases } = await returnedOf(testPath);
  const made = (databases.pop() as D | undefined) ?? (await make());
  const state = { isClosed: false, isReturned: false };
  const drop = async () => {
    if (state.isReturned) return;
    state.isReturned = true;
    const isIdle = [made.db, made.owner].every((pool) => pool.use().inUse + pool.use().waiting === 0);
    const isUseful = !state.isClosed && isIdle && returned.databases === databases;
    if (isUseful && (await isRestored(made).catch(() => false))) databases.push(made);
    else await made.drop();
  };
  return { ...made, db: lent(made.db, state), owner: lent(made.owner, state), drop };
}

/** Drops those of another file. */
async function returnedOf(testPath: string): Promise<typeof returned> {
  const { databases } = returned;
  if (returned.testPath === testPath) return returned;
  returned = { testPath, databases: [] };
  const current = returned;
  await Promise.all(databases.map(({ drop }) => drop()));
  return current;
}

function isRestored({ db, owner }: Made): Promise<boolean> {
  return owner.transaction(async (tx) => {
    const open = [db, owner].reduce((sum, pool) => sum + pool.use().inUse + pool.use().idle, 0);
    return one(await tx.query<{ restored: boolean }>(sql`select pristine.restore(${open}) as restored`))
      .restored;
  });
}

function lent<D extends Database>(db: D, state: { isClosed: boolean; readonly isReturned: boolean }): D {
  const open = () => {
    if (state.isReturned) throw new Error("the test has dropped this database");
    return db;
  };
  return {
    ...db,
    query: async (statement) => open().query(statement),
    transaction: async (work) => open().transaction(work),
    answeringWithin: (ms) => lent(db.answeringWithin(ms), state),
    forTenant: (tenant) => lent(db.forTenant(tenant), state),
    close: async () => {
      if (state.isReturned) return;
      state.isClosed = true;
      await db.close();
    },
  };
}
