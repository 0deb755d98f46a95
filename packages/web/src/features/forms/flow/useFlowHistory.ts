import { useRef, useState } from 'react';
import type { Edit } from '../source/edit.ts';
import { editSource } from '../source/editSource.ts';

interface Step {
  readonly source: string;
  readonly about: string;
  readonly at: number;
}

/** Keys that follow each other so closely are one step back. */
const oneStepMs = 1200;
const maxSteps = 200;

/**
 * Edits of the form with a way back. A text that changed by other hands, in the code editor say, begins a new history:
 * going back over it would undo what the form never did.
 */
export function useFlowHistory(source: string, onChange: (source: string) => void) {
  const [past, setPast] = useState<readonly Step[]>([]);
  const [future, setFuture] = useState<readonly string[]>([]);
  const latest = useRef(source);
  const isOurs = latest.current === source;
  const steps = isOurs ? past : [];
  const ahead = isOurs ? future : [];

  const show = (next: string) => {
    latest.current = next;
    onChange(next);
  };
  /** Several edits of one event, as when a thing is added and opened, build on each other. */
  const edit = (change: Edit) => {
    const before = isOurs ? latest.current : source;
    const after = editSource(before, change);
    if (after === before) return;
    const about = change.kind === 'set' && change.value !== undefined ? JSON.stringify(change.path) : '';
    const at = Date.now();
    setPast((known) => {
      const kept = isOurs ? known : [];
      const last = kept.at(-1);
      const isSame = about !== '' && last?.about === about && at - last.at < oneStepMs;
      return isSame
        ? [...kept.slice(0, -1), { ...last, at }]
        : [...kept.slice(-maxSteps), { source: before, about, at }];
    });
    setFuture([]);
    show(after);
  };
  const undo = () => {
    const last = steps.at(-1);
    if (!last) return;
    setPast(steps.slice(0, -1));
    setFuture([...ahead, source]);
    show(last.source);
  };
  const redo = () => {
    const next = ahead.at(-1);
    if (next === undefined) return;
    setFuture(ahead.slice(0, -1));
    setPast([...steps, { source, about: '', at: 0 }]);
    show(next);
  };
  return { edit, undo, redo, canUndo: steps.length > 0, canRedo: ahead.length > 0 };
}
