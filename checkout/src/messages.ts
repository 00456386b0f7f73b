/** What the scripts say themselves. Everything else that a payer reads is written by the server. */
export const messages = {
  copied: "Copied",
  selectToCopy: "Select the text to copy it",
  daysAndHours: (days: number, hours: number) => `${days} d ${hours} h`,
};
