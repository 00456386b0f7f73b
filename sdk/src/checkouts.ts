import type { Connection } from "./connection.ts";
import type { CallOptions } from "./operation.ts";

/** What a payer may know of a charge; its token is the key, and no other is sent. */
export class Checkouts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  retrieve(token: string, options?: CallOptions) {
    return this.#connection.call("GET /v1/checkout/{token}", { path: { token } }, options);
  }
}
