/** The heading of a version's section for operators. */
const FOR_OPERATORS = "### What an operator must know";

/**
 * The notes of a release: what an operator has to do, then the section of this version in the changelog.
 *
 * @throws Error if the changelog has no section of the version, or if that does not say what an operator must know
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(`## ${version} `));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section of ${version}`);
  if (!section.includes(`\n${FOR_OPERATORS}\n`))
    throw new Error(`CHANGELOG.md has no "${FOR_OPERATORS}" in the section of ${version}`);
  const body = section.slice(section.indexOf("\n")).trim();
  return `# Daric ${version}

### What an operator must do

1. Check the files: \`ssh-keygen -Y verify -f allowed_signers -I daric -n daric-release -s SHA256SUMS.sig < SHA256SUMS && sha256sum -c SHA256SUMS\`.
   Take \`allowed_signers\` from the repository, not from this folder.
2. Read "What an operator must know" below.
3. For a new service, follow [Going live](docs/going-live.md).
4. For a running one, follow [Upgrading](docs/upgrading.md#the-order): make a backup, see what the migration locks by \`daric migrate --plan\`, run
   \`daric migrate\`, then replace \`watcher\`, \`webhooks\`, \`settlement\` and each \`api\`.

${body}
`;
}
