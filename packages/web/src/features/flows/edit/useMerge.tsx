import { flows } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../../api/call.ts';
import { lazyPart, Nothing } from '../../../ui/lazyPart.tsx';
import { type FlowKey, flowQuery } from '../queries.ts';
import type { MergeDecision } from '../revisions/merge3.ts';

const MergeDialog = lazyPart(() => import('../revisions/MergeDialog.tsx'), 'MergeDialog', Nothing);

interface Question {
  readonly mine: string;
  /** The revision that the text is based on. */
  readonly revision: number;
  /** The text is merged and not saved, so that overwriting is no choice. */
  readonly isOnlyMerge?: boolean;
}

interface Open extends Question {
  readonly base: string | undefined;
  readonly theirs: MergeDecision['theirs'];
  resolve(decision: MergeDecision | undefined): void;
}

/** Asks what happens when another user saved the flow meanwhile: merge both texts, overwrite, or neither. */
export function useMerge(key: FlowKey): {
  ask(question: Question): Promise<MergeDecision | undefined>;
  dialog: ReactNode;
} {
  const client = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const ask = async (question: Question): Promise<MergeDecision | undefined> => {
    const latest = await client.fetchQuery({ ...flowQuery(key), staleTime: 0 });
    const base = await sourceOf(key, question.revision);
    const theirs = { source: latest.source ?? '', revision: latest.revision };
    return await new Promise((resolve) => setOpen({ ...question, base, theirs, resolve }));
  };
  const decide = (decision: MergeDecision | undefined) => {
    setOpen(undefined);
    open?.resolve(decision);
  };
  const dialog = open && (
    <MergeDialog
      base={open.base}
      mine={open.mine}
      theirs={open.theirs}
      revision={open.revision}
      isOnlyMerge={open.isOnlyMerge ?? false}
      onDecide={decide}
    />
  );
  return { ask, dialog };
}

/** Undefined when the revision was deleted: then there is nothing to merge by. */
const sourceOf = ({ namespace, id }: FlowKey, revision: number): Promise<string | undefined> =>
  call(flows.getFlow, {
    params: { namespace, id },
    query: { source: true, revision, allowDeleted: true },
    failures: 'handled',
  }).then(
    (flow) => flow.source,
    () => undefined,
  );
