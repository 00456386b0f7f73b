import type { Database, Queryable } from "@daric/postgres/sql";

const owners = new WeakMap<object, Database>();

/** Registers the owner's connection to the service's database. */
export function setOwner(db: Queryable, owner: Database): void {
  owners.set(db, owner);
}

/** The same database with the owner's rights, for rows that only the command line writes. */
export function ownersDatabase<Db extends Queryable>(db: Db): Db | Database {
  return owners.get(db) ?? db;
}
