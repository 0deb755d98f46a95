import type { ReactNode } from 'react';

export interface Question {
  title: string;
  body: ReactNode;
  confirm: string;
  cancel: string;
  dangerous?: boolean;
  /** Wider for a body that is more than a sentence. */
  size?: 'md' | 'xl';
}

type Ask = (question: Question) => Promise<boolean>;

let ask: Ask | undefined;

/** The component that shows the questions announces itself here while it is mounted. */
export function setConfirmHandler(host: Ask): () => void {
  ask = host;
  return () => {
    ask = undefined;
  };
}

/** Asks before something that cannot be taken back. Resolves to true only when the user agrees. */
export function confirm(question: Question): Promise<boolean> {
  if (!ask) throw new Error('There is no ConfirmHost to ask the question.');
  return ask(question);
}
