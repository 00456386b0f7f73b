import type { ListPage } from "./operation.ts";

/** The order of the service's lists. */
type Listed = { readonly id: string; readonly created_at: string };

/** The most rows of a page. */
export const MOST_ROWS = 100;

/**
 * Every row of a list, newest first, read page by page on demand.
 *
 * Each row comes once, even if new ones push it onto the next page meanwhile; rows made after the first page
 * may be missing. If rows leave the filter meanwhile (an ACTIVE one that expires), as many others may be
 * missed: filter by a constant field, or read again.
 */
export async function* everyRow<Row extends Listed>(
  readPage: (page: number) => Promise<ListPage<Row>>,
): AsyncGenerator<Row, void, undefined> {
  let oldest = "";
  /** the seen ids of the oldest time */
  let seen = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { data, meta } = await readPage(page);
    for (const row of data) {
      const isRepeated = oldest !== "" && (row.created_at > oldest || seen.has(row.id));
      if (isRepeated) continue;
      if (row.created_at !== oldest) seen = new Set();
      oldest = row.created_at;
      seen.add(row.id);
      yield row;
    }
    if (data.length < meta.limit) return;
  }
}
