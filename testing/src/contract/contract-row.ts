/** A test: its file, and its title or the text of its row in a table of titles. */
export type Proof = readonly [file: string, title: string];

/** A change of source text: `from` occurs exactly once. */
export type Mutation = { readonly file: string; readonly from: string; readonly to: string };

/** A row of the contract, its test, and mutations that must each fail that test. */
export type ContractRow = {
  readonly row: string;
  readonly proof: Proof;
  readonly mutations?: readonly Mutation[];
};
