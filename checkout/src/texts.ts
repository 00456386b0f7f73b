/**
 * What the scripts say themselves. The server writes it into the page, where all of its sentences come from; a page of
 * another release may lack some.
 */
export type PageTexts = {
  readonly copied?: string;
  readonly selectToCopy?: string;
  /** with `{days}` and `{hours}` where the numbers stand */
  readonly daysAndHours?: string;
  readonly fiveMinutesLeft?: string;
  readonly oneMinuteLeft?: string;
  readonly walletAsks?: string;
  readonly walletSent?: string;
  readonly walletRefused?: string;
  readonly walletOnOtherNetwork?: string;
};

export function textsOf(main: HTMLElement): PageTexts {
  return JSON.parse(main.dataset.words ?? "{}");
}
