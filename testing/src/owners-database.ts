import type { Database, Queryable } from "@daric/postgres/sql";

const owners = new WeakMap<object, Database>();

/** Remembers which database is the same as that of the service, for the owner of its tables. */
export function setOwner(db: Queryable, owner: Database): void {
  owners.set(db, owner);
}

/** The same database as the owner of its tables has it: what only the command line writes is made there. */
export function ownersDatabase<Db extends Queryable>(db: Db): Db | Database {
  return owners.get(db) ?? db;
}
