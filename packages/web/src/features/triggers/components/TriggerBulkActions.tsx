import type { TriggerWithDefinition } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { trackJob } from '../../../shell/jobs/trackedJobs.ts';
import { showSuccess } from '../../../shell/toasts.ts';
import type { Selection } from '../../../ui/index.ts';
import { type BulkAction, BulkActions } from '../../../ui/list/BulkActions.tsx';
import { actOnTriggers, type TriggerBulkName, triggerBulkNames } from './triggerBulk.ts';

interface TriggerBulkActionsProps {
  selection: Selection<TriggerWithDefinition>;
  filters: Readonly<Record<string, unknown>>;
  onDone: () => void;
}

const visible: readonly TriggerBulkName[] = ['enable', 'disable', 'unlock'];
const dangerous: readonly TriggerBulkName[] = ['unlock', 'forget', 'deleteBackfill'];

export function TriggerBulkActions({ selection, filters, onDone }: TriggerBulkActionsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const act = async (name: TriggerBulkName) => {
    try {
      const result = await actOnTriggers(
        name,
        selection.kind === 'rows'
          ? { kind: 'list', triggers: selection.rows.map(({ triggerContext }) => triggerContext) }
          : { kind: 'query', filters },
      );
      const title = t(`triggerBulk.${name}.title`, { count: selection.count });
      if ('jobId' in result) trackJob({ id: result.jobId, title, changes: ['triggers'] });
      else showSuccess(t(`triggerBulk.${name}.done`, { count: result.reply.count }));
    } finally {
      // A refusal means that the list shows old states.
      await client.invalidateQueries({ queryKey: ['triggers'] });
    }
  };
  const asAction = (name: TriggerBulkName): BulkAction => ({
    name: t(`triggerBulk.${name}.name`),
    title: t(`triggerBulk.${name}.title`, { count: selection.count }),
    text: t(`triggerBulk.${name}.text`),
    dangerous: dangerous.includes(name),
    act: () => act(name),
  });
  return (
    <BulkActions
      onDone={onDone}
      actions={visible.map(asAction)}
      more={triggerBulkNames.filter((name) => !visible.includes(name)).map(asAction)}
    />
  );
}
