import { commands } from '../cli/commands/index.ts';
import { runCommandLine } from '../cli/runCommandLine.ts';

/** Runs command lines in this process and captures their output. */
export function aTerminal(env: Record<string, string> = {}, isTerminal = false) {
  return async (...argv: string[]) => {
    let [out, err] = ['', ''];
    const code = await runCommandLine(argv, commands, {
      env,
      out: {
        write: (text) => {
          out += text;
        },
        isTerminal,
      },
      err: {
        write: (text) => {
          err += text;
        },
        isTerminal,
      },
    });
    return { code, out, err };
  };
}
