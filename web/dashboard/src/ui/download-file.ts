/** A file that can be downloaded: its address by a query, and its formats beside CSV. */
export type DownloadFile = {
  readonly name?: "statement" | "journal" | "fees";
  readonly url: (query: Record<string, string | undefined>) => string;
  readonly formats: readonly ("xlsx" | "json" | "pdf")[];
};
