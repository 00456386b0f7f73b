/** The value of a metric for one set of labels. */
export type ScrapedSample = {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** what a readiness check or an alarm about a node found; no condition of an alert sees it */
  readonly detail?: string | undefined;
};

/** The samples of all processes at one time. */
export type Scrape = {
  /** Unix time */
  readonly atSeconds: number;
  readonly samples: readonly ScrapedSample[];
};
