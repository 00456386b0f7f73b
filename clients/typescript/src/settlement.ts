import type { Api } from "./api.ts";
import type { CallOptions, DownloadedFile, QueryOf } from "./operation.ts";

const ACCOUNTS = "GET /v1/settlement-accounts";
const SETTLEMENTS = "GET /v1/settlements";
const STATEMENT = "GET /v1/statements";

/** The month of a statement, and how its file is written. */
type StatementFileQuery = Omit<QueryOf<typeof STATEMENT>, "format" | "page" | "limit"> & {
  readonly format: "csv" | "xlsx" | "pdf";
};

/** The merchant's balances, settlements and settlement accounts. */
export class Settlement {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** One row for each currency. */
  balances(options?: CallOptions) {
    return this.#api.call("GET /v1/balances", {}, options);
  }

  /** Opening and closing balances of a month (`2026-11`, UTC), with a page of its entries. */
  statement(
    query: Omit<QueryOf<typeof STATEMENT>, "format" | "language" | "bom" | "separator" | "decimal">,
    options?: CallOptions,
  ) {
    return this.#api.call(STATEMENT, { query }, options);
  }

  /** The statement of a month (`2026-11`, UTC) as a file with all of its entries. A PDF has a language. */
  statementFile(query: StatementFileQuery, options?: CallOptions): Promise<DownloadedFile> {
    return this.#api.download(STATEMENT, { query }, options);
  }

  /** One page, the default first. */
  accounts(query: QueryOf<typeof ACCOUNTS> = {}, options?: CallOptions) {
    return this.#api.page(ACCOUNTS, { query }, options);
  }

  /** One page, newest first: completed settlements, and those under way. */
  list(query: QueryOf<typeof SETTLEMENTS> = {}, options?: CallOptions) {
    return this.#api.page(SETTLEMENTS, { query }, options);
  }

  /** A settlement with its sweeps and their transactions. */
  retrieve(id: string, options?: CallOptions) {
    return this.#api.call("GET /v1/settlements/{id}", { path: { id } }, options);
  }
}
