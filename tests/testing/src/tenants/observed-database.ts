import { type Database, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { isOfService } from "./recorded-statements.ts";

type Hiding = {
  readonly tablesWithDecoys: readonly string[];
  /** the service's listed global statements see no decoys either */
  readonly fromGlobal: boolean;
};

const GLOBAL = /^\s*\/\* global: /;
/** A token is of one merchant. The copy of it in a decoy is a row that no service makes. */
const BY_TOKEN = /^\s*\/\* global: (?:charges|links)-of-tokens \*\//;

/**
 * Records the service's statements. The test's own queries do not see decoys: a test may find a row by its id
 * alone, the service may not.
 */
export function observed(db: Database, hiding: Hiding): Database {
  const isAboutDecoys = aboutAnyOf(hiding.tablesWithDecoys);
  const hidden = hiding.fromGlobal ? GLOBAL : BY_TOKEN;
  const seesDecoys = (statement: Sql) =>
    isOfService(statement) ? !hidden.test(statement.text) : !isAboutDecoys(statement);
  const inTransaction = (tx: Transaction): Transaction => ({
    ...tx,
    query: (statement) => (seesDecoys(statement) ? tx.query(statement) : queryWithoutDecoys(tx, statement)),
  });
  return {
    ...db,
    query: (statement) =>
      seesDecoys(statement) ? db.query(statement) : db.transaction((tx) => queryWithoutDecoys(tx, statement)),
    transaction: (work) => db.transaction((tx) => work(inTransaction(tx))),
    answeringWithin: (ms) => observed(db.answeringWithin(ms), hiding),
    forTenant: (tenant) => observed(db.forTenant(tenant), hiding),
  };
}

function aboutAnyOf(tables: readonly string[]): (statement: Sql) => boolean {
  if (tables.length === 0) return () => false;
  // A quoted name refers to the table itself, such as its privileges.
  const named = String.raw`(?<![\w'])(${tables.join("|")})(?![\w'])`;
  const pattern = new RegExp(String.raw`^\s*(select|insert|update|delete|with)\b.*${named}`, "is");
  return ({ text }) => pattern.test(text);
}

/** Queries through views without decoys; changes reach the tables themselves. */
async function queryWithoutDecoys<Row>(tx: Queryable, statement: Sql): Promise<Row[]> {
  const [, rows] = await Promise.all([
    tx.query(sql`set local search_path = decoyless, public`),
    tx.query<Row>(statement),
    tx.query(sql`set local search_path to default`),
  ]);
  return rows;
}
