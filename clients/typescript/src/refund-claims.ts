import type { Api } from "./api.ts";
import type { BodyOf, CallOptions } from "./operation.ts";

const CLAIM = "POST /v1/refund-claims/{token}";

/** The payer's view of a refund; the token at the end of its `claim_url` is the only credential. */
export class RefundClaims {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  retrieve(token: string, options?: CallOptions) {
    return this.#api.call("GET /v1/refund-claims/{token}", { path: { token } }, options);
  }

  /** Names the address that gets the refund. A link takes one address, once; the same one again answers the same. */
  claim(token: string, body: BodyOf<typeof CLAIM>, options?: CallOptions) {
    return this.#api.call(CLAIM, { path: { token }, body }, options);
  }
}
