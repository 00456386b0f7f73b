/** The stage that makes the packages from a clone. */
const PACKAGES_STAGE = /^FROM \S+ AS packages\n[\s\S]*?(?=^FROM )/m;

/**
 * The repository's Dockerfile as the recipe of a release: it installs the packages beside it, and makes none. Files of an operator
 * in the same folder, such as secrets, stay out.
 *
 * @throws Error if the Dockerfile has no stage `packages`
 */
export function imageRecipe(dockerfile: string): string {
  if (!PACKAGES_STAGE.test(dockerfile)) throw new Error("the Dockerfile has no stage that makes packages");
  const stage = "FROM scratch AS packages\nCOPY *.tgz package.json package-lock.json /packages/\n\n";
  return dockerfile
    .replace(
      "# The packages of a release are made and installed here as",
      "# The packages beside this file are installed here as",
    )
    .replace(PACKAGES_STAGE, stage);
}
