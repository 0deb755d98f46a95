import { lazy, Suspense, useEffect, useState } from 'react';
import { answerWith, type Question } from './confirm.ts';

const ConfirmDialog = lazy(() =>
  import('./ConfirmDialog.tsx').then((module) => ({ default: module.ConfirmDialog })),
);

interface Pending {
  question: Question;
  resolve: (agreed: boolean) => void;
}

/** Shows the questions that `confirm` asks. The dialog itself loads with the first of them. */
export function ConfirmHost() {
  const [pending, setPending] = useState<Pending>();
  useEffect(() => answerWith((question) => new Promise((resolve) => setPending({ question, resolve }))), []);
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
