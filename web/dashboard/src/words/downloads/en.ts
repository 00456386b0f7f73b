/** The menu of downloads, in English. It is loaded when a person opens the menu. */
export const downloads = {
  title: "Download",
  file: "File",
  format: "Format",
  separator: "Between columns",
  decimal: "Decimal mark",
  comma: "Comma",
  semicolon: "Semicolon",
  tab: "Tab",
  point: "Point",
  marksHint: "In most of Europe and Latin America, spreadsheets read semicolons and decimal commas.",
  workbookHint: "Up to 100,000 rows, with real dates and numbers. Take CSV for more.",
  download: "Download the file",
  names: {
    statement: "Statement",
    journal: "Journal (double entry)",
    fees: "Fees",
  },
} as const;
