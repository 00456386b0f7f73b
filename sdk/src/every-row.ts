import type { ListPage } from "./operation.ts";

/** What the service's lists are ordered by. */
type Listed = { readonly id: string; readonly created_at: string };

/** The most rows that a page has. */
export const MOST_ROWS = 100;

/**
 * Every row of a list, newest first, read page by page as it is asked for.
 *
 * Each row comes once, also when new ones push it onto the next page meanwhile; what is made after the first page was
 * read may be left out. Where rows leave the list meanwhile (one that expires, of those that are ACTIVE) as many others
 * may be missed: filter by what does not change, or read again.
 */
export async function* everyRow<Row extends Listed>(
  readPage: (page: number) => Promise<ListPage<Row>>,
): AsyncGenerator<Row, void, undefined> {
  let oldest = "";
  /** the ids that were seen of the moment of the oldest */
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
