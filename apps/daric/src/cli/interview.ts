import { readSetting } from "@daric/runtime/read-setting";
import { type SettingPath, settingAt } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** A question to the operator, the option that answers it, and a default. */
export type Question = {
  /** the subject of the answer: a variable, or a noun */
  readonly subject: string;
  readonly option: string;
  readonly text: string;
  readonly preset?: string | undefined;
  readonly isRequired: boolean;
  /** The fault of an answer, without repeating it. */
  faultOf(answer: string | undefined): string | undefined;
};

export type Interview = {
  /**
   * Returns the valid answer; undefined if it is optional and empty.
   *
   * @throws CommandError without a valid answer.
   */
  prompt(question: Question): Promise<string | undefined>;
  close(): Promise<void>;
};

/** Uses the defaults without asking. */
export function silentInterview(): Interview {
  return {
    prompt: async (question) => {
      if (question.preset === undefined && question.isRequired) throw lackOf(question);
      return question.preset;
    },
    close: async () => {},
  };
}

/** Asks each question on a line of the terminal, and again after an invalid answer. */
export function openInterview(terminal: Terminal): Interview {
  const lines = terminal.readLines()[Symbol.asyncIterator]();
  return {
    prompt: async (question) => {
      const { text, preset, isRequired } = question;
      for (;;) {
        terminal.write(`${text}${preset === undefined ? "" : ` [${preset}]`}: `);
        const line = await lines.next();
        if (line.done && preset === undefined && isRequired) throw lackOf(question);
        const answer = (line.done ? "" : line.value.trim()) || preset;
        if (answer === undefined && !isRequired) return undefined;
        const fault = answer === undefined ? `${question.subject} is needed` : question.faultOf(answer);
        if (fault === undefined) return answer;
        terminal.write(`${fault}\n`);
      }
    },
    close: async () => {
      await lines.return?.();
    },
  };
}

/** The fault of an answer, without repeating it. */
export function faultOfAnswer(path: SettingPath, answer: string | undefined): string | undefined {
  const setting = settingAt(path);
  const { faults } = readSetting({ [setting.env]: answer }, setting);
  return faults.length === 0 ? undefined : faults.join("; ");
}

function lackOf({ subject, option }: Question): CommandError {
  return new CommandError(`${subject} is needed: ${option} gives it`, 2);
}
