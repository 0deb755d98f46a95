import type { Output } from '../command.ts';

export interface Progress {
  step(label: string): void;
  end(): void;
}

const width = 24;

/** A bar on the terminal of a person; nothing at all in a log file. */
export function startProgress({ err }: { readonly err: Output }, total: number): Progress {
  if (!err.isTerminal || total < 2) return { step: () => {}, end: () => {} };
  let done = 0;
  const draw = (label: string) => {
    const filled = Math.round((done / total) * width);
    err.write(`\r\u001b[K[${'#'.repeat(filled).padEnd(width)}] ${done}/${total} ${label.slice(0, 40)}`);
  };
  draw('');
  return {
    step: (label) => {
      // More items may appear while the work runs.
      done = Math.min(done + 1, total);
      draw(label);
    },
    end: () => err.write('\r\u001b[K'),
  };
}

/** Progress of work on files whose number is known with the first of them. */
export function followFiles(surroundings: { readonly err: Output }) {
  let progress: Progress | undefined;
  return {
    onFile: (path: string, total: number) => {
      progress ??= startProgress(surroundings, total);
      progress.step(path);
    },
    end: () => progress?.end(),
  };
}
