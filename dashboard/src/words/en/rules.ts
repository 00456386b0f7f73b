/** The rules of fields, beside the field that breaks one. Any other rule has the service's own words. */
export const rules = {
  required: "Fill in this field.",
  length: (least: string, most: string) => `Use ${least} to ${most} characters.`,
  maxLength: (most: string) => `Use at most ${most} characters.`,
  distinct: "Use more different characters, other than those of the e-mail address.",
  email: "Enter an e-mail address, like ada@shop.example.",
  url: "Enter a whole web address, like https://shop.example/page.",
  duration: "Enter a number with s, m, h or d, like 60m.",
  percentage: "Enter a percentage from 0 to 5, like 0.5.",
  wholeNumber: (least: string, most: string) => `Enter a whole number from ${least} to ${most}.`,
  amount: "Enter an amount like 25.5, with at most 6 decimals.",
  address: "This is no TRON address. It has 34 characters and begins with T; copy it from the wallet.",
};
