import type { ListPage } from "./operation.ts";

/** The most rows of a page. */
export const MAX_ROWS = 100;

/**
 * Every row of a list, newest first, read page by page on demand. Each row that exists at the first read comes once; later rows
 * may be left out. Each page is read after the last row of the one before, at the same cost at any depth.
 */
export async function* everyRow<Row extends { readonly id: string }>(
  readPage: (after: { readonly after?: string }) => Promise<ListPage<Row>>,
): AsyncGenerator<Row, void, undefined> {
  let last: Row | undefined;
  for (;;) {
    const { data, meta } = await readPage(last === undefined ? {} : { after: last.id });
    yield* data;
    if (data.length < meta.limit) return;
    last = data.at(-1);
  }
}
