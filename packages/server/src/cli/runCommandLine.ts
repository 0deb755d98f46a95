import { version } from '../version.ts';
import { type Command, type ExitCode, exitCodes, type Surroundings, UsageError } from './command.ts';
import { describeFailure } from './describeFailure.ts';
import { writeHelp } from './help.ts';
import { readCommandLine } from './readCommandLine.ts';

/** Runs a command line. Returns the exit code; undefined when a server keeps running. */
export async function runCommandLine(
  argv: readonly string[],
  commands: readonly Command[],
  surroundings: Surroundings,
): Promise<ExitCode | undefined> {
  try {
    const line = readCommandLine(argv, commands);
    if (line.kind === 'run') return await line.command.run(line, surroundings);
    surroundings.out.write(line.kind === 'version' ? `${version}\n` : writeHelp(line.about, commands));
    return exitCodes.done;
  } catch (error) {
    surroundings.err.write(`${describeFailure(error)}\n`);
    return error instanceof UsageError ? exitCodes.misused : exitCodes.failed;
  }
}
