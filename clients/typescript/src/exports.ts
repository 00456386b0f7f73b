import type { Api } from "./api.ts";
import type { Downloads } from "./contract.ts";
import type { CallOptions, DownloadedFile } from "./operation.ts";

/** The lists that there are as files. */
export const exportKinds = ["payments", "refunds", "settlements", "fees", "journal"] as const;

/** The name of a list in `/v1/exports`. */
export type ExportKind = (typeof exportKinds)[number];

/** The lists of a business as files, for an accountant. */
export class Exports {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * A list as CSV, XLSX or JSON. The file is held in memory: ask for a range of time that fits.
   *
   * @throws TypeError for a list that is not in `exportKinds`.
   */
  async download<Kind extends ExportKind>(
    kind: Kind,
    query: Downloads[`GET /v1/exports/${Kind}`]["query"] = {},
    options?: CallOptions,
  ): Promise<DownloadedFile> {
    if (!exportKinds.includes(kind))
      throw new TypeError(`There is a file of ${exportKinds.join(", ")}, and not of ${String(kind)}.`);
    return this.#api.download(`GET /v1/exports/${kind}`, { query }, options);
  }
}
