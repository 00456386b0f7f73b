/** A test: its file, and its title or, where a table makes the title, the text of the table's row that names it. */
export type Proof = readonly [file: string, title: string];

/** A place of the code of which the row is made, and what stands there when it is broken: `from` stands there once. */
export type Mutation = { readonly file: string; readonly from: string; readonly to: string };

/** A row of the contract, the test that proves it, and ways to break the code of it: each must turn that test red. */
export type ContractRow = {
  readonly row: string;
  readonly proof: Proof;
  readonly mutations?: readonly Mutation[];
};
