type Listener = (problem: Error, title: string) => void;

const listeners = new Set<Listener>();

/** The shell listens here: it shows what a part of the page has to say. */
export function onProblem(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Says that something did not work, and why, from where nothing is known about the shell. */
export function reportProblem(problem: unknown, title: string): void {
  const error = problem instanceof Error ? problem : new Error(String(problem));
  for (const listener of listeners) listener(error, title);
}
