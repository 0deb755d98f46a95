import { type TriggerReference, type TriggerWithDefinition, triggers } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { callAsJob, trackJob } from '../../shell/notices/trackedJobs.ts';
import { showSuccess } from '../../shell/toasts.ts';
import type { Selection } from '../../ui/index.ts';
import { type BulkAction, BulkActions } from '../../ui/list/BulkActions.tsx';

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

const triggerBulkNames = [
  'enable',
  'disable',
  'unlock',
  'pause',
  'unpause',
  'deleteBackfill',
  'forget',
] as const;
type TriggerBulkName = (typeof triggerBulkNames)[number];

type TriggerTarget =
  | { readonly kind: 'list'; readonly triggers: TriggerReference[] }
  | { readonly kind: 'query'; readonly filters: Readonly<Record<string, unknown>> };

const pairs = {
  unlock: { byList: triggers.unlockTriggersByList, byQuery: triggers.unlockTriggersByQuery },
  pause: { byList: triggers.pauseBackfillsByList, byQuery: triggers.pauseBackfillsByQuery },
  unpause: { byList: triggers.unpauseBackfillsByList, byQuery: triggers.unpauseBackfillsByQuery },
  deleteBackfill: { byList: triggers.deleteBackfillsByList, byQuery: triggers.deleteBackfillsByQuery },
  forget: { byList: triggers.deleteTriggersByList, byQuery: triggers.deleteTriggersByQuery },
} as const;

/** Acts on many triggers; those that it is not possible for are passed over by the server and not counted. */
function actOnTriggers(name: TriggerBulkName, target: TriggerTarget) {
  const failures = 'handled' as const;
  if (name === 'enable' || name === 'disable') {
    const disabled = name === 'disable';
    return target.kind === 'list'
      ? callAsJob(triggers.setTriggersDisabledByList, {
          body: { triggers: target.triggers, disabled },
          failures,
        })
      : callAsJob(triggers.setTriggersDisabledByQuery, { query: { ...target.filters, disabled }, failures });
  }
  const { byList, byQuery } = pairs[name];
  return target.kind === 'list'
    ? callAsJob(byList, { body: target.triggers, failures })
    : callAsJob(byQuery, { query: { ...target.filters }, failures });
}
