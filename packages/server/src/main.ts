import type { Output } from './cli/command.ts';
import { commands } from './cli/commands/index.ts';
import { runCommandLine } from './cli/runCommandLine.ts';
import { unsealEnvironment } from './sealedEnvironment.ts';

unsealEnvironment(process.env);
const code = await runCommandLine(process.argv.slice(2), commands, {
  env: process.env,
  out: outputTo(process.stdout),
  err: outputTo(process.stderr),
});
if (code !== undefined) process.exitCode = code;

function outputTo(stream: NodeJS.WriteStream): Output {
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY === true };
}
