/** Texts of a merchant's company and books, apart from those of every page: only the settings load them. */
export const books = {
  company: "Your company",
  companyHint: "On receipts and statements.",
  legalName: "Legal name",
  legalAddress: "Address",
  taxId: "Tax number",
  timeZone: "Time zone",
  timeZoneHint: "Your days and months begin in it: on the home page, in statements and in exports.",
  title: "Books",
  currency: "Currency of the books",
  currencyHint: "Every payment has its value in it. Another choice values all payments anew.",
  codes: "Account codes",
  codesHint: "One a line, like revenue=8400. An account that you leave out has its usual code.",
};
