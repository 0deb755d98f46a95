import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../lazyPart.tsx';
import { type Question, setConfirmHandler } from './confirm.ts';

const ConfirmDialog = lazyPart(() => import('./ConfirmDialog.tsx'), 'ConfirmDialog');

interface Pending {
  question: Question;
  resolve: (agreed: boolean) => void;
}

/** Shows the questions that `confirm` asks. The dialog itself loads with the first of them. */
export function ConfirmHost() {
  const [pending, setPending] = useState<Pending>();
  useEffect(
    () => setConfirmHandler((question) => new Promise((resolve) => setPending({ question, resolve }))),
    [],
  );
  if (!pending) return null;
  return (
    <Suspense>
      <ConfirmDialog
        question={pending.question}
        onAnswer={(agreed) => {
          setPending(undefined);
          pending.resolve(agreed);
        }}
      />
    </Suspense>
  );
}
