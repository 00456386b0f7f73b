import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Copy, DockerfileParser, type From, type Instruction, type Workdir } from "dockerfile-ast";

const run = promisify(execFile);

/** A stage: the folder with the files of its instructions, and its settings. */
export type FollowedStage = {
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
  entrypoint: string[];
};

export type Following = {
  readonly dockerfile: string;
  /** the folder with the files of the build context */
  readonly context: string;
  /** an empty folder for the stages */
  readonly place: string;
  /** this machine's programs, by their paths in the base image */
  readonly programs: Readonly<Record<string, string>>;
  /** user and environment of the instructions' processes */
  readonly as: { readonly uid?: number; readonly gid?: number; readonly env: NodeJS.ProcessEnv };
};

/**
 * Follows a Dockerfile without a container engine, as an ordinary user, and returns its last stage. The base of a stage is
 * this machine: its files are not in the folder. Owners are not changed.
 */
export async function followDockerfile(following: Following): Promise<FollowedStage> {
  const stages = new Map<string, FollowedStage>();
  let last: FollowedStage | undefined;
  for (const instruction of DockerfileParser.parse(following.dockerfile).getInstructions()) {
    if (instruction.getKeyword() === "FROM") {
      const name = (instruction as From).getBuildStage() ?? "last";
      last = { root: join(following.place, name), workdir: "/", env: {}, entrypoint: [] };
      await execute(["mkdir", "-p", last.root], following);
      stages.set(name, last);
    } else if (last === undefined) throw new Error(`${instruction.getKeyword()} is before FROM`);
    else await follow(instruction, last, stages, following);
  }
  if (last === undefined) throw new Error("the Dockerfile has no stage");
  return last;
}

async function follow(
  instruction: Instruction,
  stage: FollowedStage,
  stages: ReadonlyMap<string, FollowedStage>,
  following: Following,
): Promise<void> {
  const keyword = instruction.getKeyword();
  const text = instruction.getRawArgumentsContent() ?? "";
  if (keyword === "WORKDIR") {
    stage.workdir = (instruction as Workdir).getPath() ?? "/";
    await execute(["mkdir", "-p", join(stage.root, stage.workdir)], following);
  } else if (keyword === "COPY") await copy(instruction as Copy, stage, stages, following);
  else if (keyword === "RUN") await runIn(stage, text.replaceAll("\\\n", ""), following);
  else if (keyword === "ENTRYPOINT") stage.entrypoint = JSON.parse(text);
  else if (keyword === "ENV") {
    for (const pair of text.split(" ")) stage.env[pair.split("=")[0] ?? ""] = pair.split("=")[1] ?? "";
  }
}

/** Runs a COPY instruction. All of them here copy the content of a folder, or files of the build context, into a folder. */
async function copy(
  instruction: Copy,
  stage: FollowedStage,
  stages: ReadonlyMap<string, FollowedStage>,
  following: Following,
): Promise<void> {
  const paths = instruction.getArguments().map((argument) => argument.getValue());
  const [sources, target = ""] = [paths.slice(0, -1), paths.at(-1)];
  const from =
    instruction
      .getFlags()
      .find((flag) => flag.getName() === "from")
      ?.getValue() ?? undefined;
  const origin = from === undefined ? following.context : stages.get(from)?.root;
  if (origin === undefined) throw new Error(`there is no stage ${from}`);
  const destination = join(stage.root, target.startsWith("/") ? target : join(stage.workdir, target));
  await execute(["mkdir", "-p", destination], following);
  // More than one source, or a pattern, are files.
  const content = sources.length > 1 ? sources : sources.map((source) => `${source}/.`);
  const patterns = content.map((path) => join(origin, path)).join(" ");
  await execute(["sh", "-c", `cp -R ${patterns} ${destination}`], following);
}

/** Runs a command of a stage. Paths of folders that only the image has are replaced by paths in the stage's folder. */
async function runIn({ root, workdir }: FollowedStage, command: string, following: Following): Promise<void> {
  let script = command.replace(/(?<=[\s=])\/(?=(packages|runtime|src|app)\b)/g, `${root}/`);
  for (const [path, here] of Object.entries(following.programs))
    script = script.replace(new RegExp(`(?<=\\s)${path}$`, "gm"), here);
  await execute(["sh", "-c", script], following, join(root, workdir));
}

async function execute(command: readonly string[], { as }: Following, cwd = "/"): Promise<void> {
  const [program = "", ...args] = command;
  await run(program, args, { ...as, cwd, maxBuffer: 2 ** 26 }).catch((error) => {
    throw new Error(`${command.join(" ")} failed: ${error.stdout}${error.stderr}`);
  });
}
