import type { PoolUse } from "@daric/postgres/database";
import { type Database, one, sql } from "@daric/postgres/sql";

export type Pool = Database & { use(): PoolUse };
type Made = { readonly db: Pool; readonly owner: Pool; drop(): Promise<void> };

/** Emptied databases of this process, with open connections: a new one costs as much as a short test. */
const returned: Made[] = [];

/**
 * A database of the template: a returned one, or one that `make` creates. Its `drop` returns it if it can be emptied,
 * and drops it otherwise. Its connections refuse statements afterwards.
 */
export async function takeDatabase<D extends Made>(make: () => Promise<D>): Promise<D> {
  const made = (returned.pop() as D | undefined) ?? (await make());
  const state = { isClosed: false, isReturned: false };
  const drop = async () => {
    if (state.isReturned) return;
    state.isReturned = true;
    const isIdle = [made.db, made.owner].every((pool) => pool.use().inUse + pool.use().waiting === 0);
    if (!state.isClosed && isIdle && (await isRestored(made).catch(() => false))) returned.push(made);
    else await made.drop();
  };
  return { ...made, db: lent(made.db, state), owner: lent(made.owner, state), drop };
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
    ofTenant: (tenant) => lent(db.ofTenant(tenant), state),
    close: async () => {
      if (state.isReturned) return;
      state.isClosed = true;
      await db.close();
    },
  };
}
