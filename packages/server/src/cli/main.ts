import { unsealEnvironment } from '../unsealEnvironment.mjs';
import { exitCodes, type Output } from './command.ts';
import { commands } from './commands/index.ts';
import { runCommandLine } from './runCommandLine.ts';

const leftoversMs = 1_000;

/** Runs the command line of this process. */
export async function main(): Promise<void> {
  unsealEnvironment(process.env);
  const code = await runCommandLine(process.argv.slice(2), commands, {
    env: process.env,
    out: outputTo(process.stdout),
    err: outputTo(process.stderr),
  });
  if (code === undefined) return;
  process.exitCode = code;
  // A start that failed midway may leave threads and timers behind that would keep the process alive.
  if (code !== exitCodes.done) setTimeout(() => process.exit(), leftoversMs).unref();
}

function outputTo(stream: NodeJS.WriteStream): Output {
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY === true };
}
