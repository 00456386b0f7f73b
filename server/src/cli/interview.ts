import { type SettingPath, settingAt } from "../process/config.ts";
import { readSetting } from "../runtime/read-setting.ts";
import { CommandError } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** What is asked of an operator: one setting, the option that answers it at once, and what nobody has to type. */
export type Question = {
  readonly path: SettingPath;
  readonly option: string;
  readonly text: string;
  readonly preset?: string | undefined;
  readonly isRequired: boolean;
};

/** One who answers questions. */
export type Interview = {
  /**
   * The answer, as its setting takes it; undefined where it may be left out, and was.
   *
   * @throws CommandError when there is no answer, or none that can be used.
   */
  prompt(question: Question): Promise<string | undefined>;
  close(): Promise<void>;
};

/** Takes the presets, and asks nobody. */
export function silentInterview(): Interview {
  return {
    prompt: async ({ preset, isRequired, option, path }) => {
      if (preset === undefined && isRequired) throw new CommandError(lackOf(option, path), 2);
      return preset;
    },
    close: async () => {},
  };
}

/** Asks on the terminal, a line each, and again where an answer cannot be used. */
export function openInterview(terminal: Terminal): Interview {
  const lines = terminal.readLines()[Symbol.asyncIterator]();
  return {
    prompt: async ({ path, text, preset, isRequired, option }) => {
      for (;;) {
        terminal.write(`${text}${preset === undefined ? "" : ` [${preset}]`}: `);
        const line = await lines.next();
        if (line.done && preset === undefined && isRequired) throw new CommandError(lackOf(option, path), 2);
        const answer = (line.done ? "" : line.value.trim()) || preset;
        if (answer === undefined && !isRequired) return undefined;
        const fault = faultOfAnswer(path, answer);
        if (fault === undefined) return answer;
        terminal.write(`${fault}\n`);
      }
    },
    close: async () => {
      await lines.return?.();
    },
  };
}

/** What is wrong with an answer, in words that do not repeat it. `name` is the variable that gives it. */
export function faultOfAnswer(
  path: SettingPath,
  answer: string | undefined,
  name: string = settingAt(path).env,
): string | undefined {
  const { faults } = readSetting({ [name]: answer }, settingAt(path));
  return faults.length === 0 ? undefined : faults.join("; ");
}

function lackOf(option: string, path: SettingPath): string {
  return `${settingAt(path).env} is needed: ${option} gives it`;
}
