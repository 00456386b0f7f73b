/**
 * The texts of the scripts. The server writes them into the page; a page of another release may lack some.
 */
export type PageTexts = {
  readonly copied?: string;
  readonly selectToCopy?: string;
  /** with `{days}` and `{hours}` for the numbers */
  readonly daysAndHours?: string;
  readonly fiveMinutesLeft?: string;
  readonly oneMinuteLeft?: string;
  readonly walletAsks?: string;
  readonly walletLooks?: string;
  readonly walletGone?: string;
  readonly walletRefused?: string;
  readonly walletOnOtherNetwork?: string;
};

export function textsOf(main: HTMLElement): PageTexts {
  return JSON.parse(main.dataset.words ?? "{}");
}
