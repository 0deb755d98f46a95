import { useRef } from 'react';
import { useContinuedState } from './continuation.ts';

interface Step {
  readonly text: string;
  readonly about: string;
  readonly at: number;
}

/** Changes of the same thing that follow each other so closely are one step back. */
const oneStepMs = 1200;
const maxSteps = 200;

/** What the code editor calls its changes. */
const codeEditor = 'text';

/** A text with a way back, shared by everything that changes it. */
export interface TextHistory {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The texts before this one, oldest first. */
  readonly past: readonly string[];
  /** The texts that were gone back from, the next one first. */
  readonly future: readonly string[];
  /** The text as of now: several changes in one event build on each other. */
  latest(): string;
  /** `about` tells which thing was changed; what is typed into one field is not undone letter by letter. */
  write(text: string, about: string): void;
  undo(): void;
  redo(): void;
}

/**
 * The history of a text that is edited in several views. A text that changed by other hands, as when another revision
 * arrives, begins a new one: undoing across it would undo changes made elsewhere. The page of a flow continues the history
 * of the page that it was created on.
 */
export function useTextHistory(
  text: string,
  onChange: (text: string) => void,
  page?: string | undefined,
): TextHistory {
  const [steps, setSteps] = useContinuedState<readonly Step[]>('steps', page, []);
  const [future, setFuture] = useContinuedState<readonly string[]>('future', page, []);
  const latest = useRef(text);
  const isOurs = latest.current === text;
  const past = isOurs ? steps : [];
  const ahead = isOurs ? future : [];

  const show = (next: string) => {
    latest.current = next;
    onChange(next);
  };
  const undo = () => {
    const last = past.at(-1);
    if (!last) return;
    setSteps(past.slice(0, -1));
    setFuture([...ahead, text]);
    show(last.text);
  };
  const redo = () => {
    const next = ahead.at(-1);
    if (next === undefined) return;
    setFuture(ahead.slice(0, -1));
    setSteps([...past, { text, about: '', at: 0 }]);
    show(next);
  };
  const write = (next: string, about: string) => {
    const before = isOurs ? latest.current : text;
    if (next === before) return;
    // The code editor goes back and forth by itself; that is no new change. Elsewhere an equal text is one: a copy that
    // was deleted comes back with the next undo.
    const isCode = about === codeEditor && before === text;
    if (isCode && next === past.at(-1)?.text) return undo();
    if (isCode && next === ahead.at(-1)) return redo();
    const at = Date.now();
    setSteps((known) => {
      const kept = isOurs ? known : [];
      const last = kept.at(-1);
      const isSame = about !== '' && last?.about === about && at - last.at < oneStepMs;
      return isSame
        ? [...kept.slice(0, -1), { ...last, at }]
        : [...kept.slice(-maxSteps), { text: before, about, at }];
    });
    setFuture([]);
    show(next);
  };
  return {
    canUndo: past.length > 0,
    canRedo: ahead.length > 0,
    past: past.map((step) => step.text),
    future: ahead.toReversed(),
    latest: () => (isOurs ? latest.current : text),
    write,
    undo,
    redo,
  };
}
