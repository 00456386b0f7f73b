import { writeGenerated } from "../../../lint/generated-file.ts";
import { type SettingPath, settingAt, settingPaths } from "../src/process/config.ts";

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function shownDefault(preset: string): string {
  if (preset === "required") return "**required**";
  const isProse = preset === "none" || preset.startsWith("the ");
  return isProse ? preset : `\`${cell(preset)}\``;
}

function row(path: SettingPath): string {
  const { env, default: preset, roles, meaning, secret } = settingAt(path);
  return `| \`${env}\`${secret ? " †" : ""} | ${shownDefault(preset)} | ${roles.join(", ") || "–"} | ${cell(meaning)} |`;
}

const page = `# Configuration

All settings are environment variables, read once when a process starts. A missing or wrong value stops the start, and
every fault is named at once. Blanks around a value do not count; a variable with nothing else in it counts as not set.

*Role* says which processes need the variable: \`api\`, \`watcher\`, \`webhooks\`, or all of them; – says none, but a
command. A process starts without what its role does not need. Durations are written like \`500ms\`, \`15s\`, \`10m\`, \`24h\` or \`7d\`, lists with commas.

† A secret: no message and no command shows it, and \`NAME_FILE\`, like \`DARIC_KEY_PEPPER_FILE\`, may name a file that holds it instead of
the variable; blanks and line ends around it do not count.

\`npm start\` reads a few of its own: \`DARIC_HOME\`, \`DEVCHAIN_PORT\`, and \`DEMO_HISTORY\` (\`on\`; \`off\` pays no orders in the background).

\`daric config check\` says of every setting where it comes from and whether it is right.

| Variable | Default | Role | Meaning |
|---|---|---|---|
${settingPaths.map(row).join("\n")}

This page is written from the settings of every room by \`npm run generate\`.
`;
await writeGenerated("docs/configuration.md", page, process.argv);
