import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const maxAnswerBytes = 64 * 1024;

/** The probe is next to this file in the sources, and a separate entry next to the server's after a build. */
function probeUrl(from: string = import.meta.url): URL {
  // The names are not literals inside `new URL`, because a bundler would treat the file as an asset.
  const name = from.endsWith('.ts') ? './probe.js' : './pluginProbe.js';
  return new URL(name, from);
}

/** Loads the plugin in a separate process. Returns why it must not be loaded here; undefined when it may. */
export function probePlugin(entry: URL, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ['--max-old-space-size=128', fileURLToPath(probeUrl()), entry.href],
      {
        // The server's environment contains secrets, which code does not need at import time.
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_NO_WARNINGS: '1' },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    let said = '';
    const finish = (problem: string | undefined) => {
      clearTimeout(timer);
      resolve(problem);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      finish(`It was not loaded after ${timeoutMs} ms.`);
    }, timeoutMs);
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      if (said.length < maxAnswerBytes) said += chunk;
    });
    child.on('error', (error) => finish(`It could not be tried out: ${error.message}`));
    child.on('close', (code, signal) => finish(readAnswer(said, code, signal)));
  });
}

function readAnswer(said: string, code: number | null, signal: string | null): string | undefined {
  const answer = parseAnswer(said.trim());
  if (!answer) {
    return signal === null
      ? `It ended the process it was loaded in, with exit code ${code}.`
      : `It ended the process it was loaded in, by ${signal}.`;
  }
  if (typeof answer.error === 'string') return answer.error;
  const changed = Array.isArray(answer.changed) ? answer.changed : [];
  return changed.length > 0 ? describeTampering(changed.map(String)) : undefined;
}

export const describeTampering = (changed: readonly string[]): string =>
  `It changes ${changed.slice(0, 5).join(', ')}${changed.length > 5 ? ' and more' : ''}, which all code of the server shares.`;

function parseAnswer(text: string): { error?: unknown; changed?: unknown } | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}
