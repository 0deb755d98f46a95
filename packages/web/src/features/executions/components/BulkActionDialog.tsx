import { Checkbox, Radio } from '@mantine/core';
import type { Execution, Label } from '@millrace/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { type Selection, StatePill } from '../../../ui/index.ts';
import { actOnMany, type BulkAction, type BulkOptions, setLabelsOfMany } from './actOnMany.ts';
import { bulkTarget } from './bulkTarget.ts';
import { endStates } from './executionActions.ts';
import { ForceRunRules } from './ForceRunRules.tsx';
import { isHalfFilled, LabelRows } from './LabelRows.tsx';
import { useBulk, useBulkCount } from './useBulk.ts';

interface BulkActionDialogProps {
  action: Exclude<BulkAction, 'delete'>;
  selection: Selection<Execution>;
  /** What the list shows, for an action on all of it. */
  filters: Readonly<Record<string, unknown>>;
  onClose: () => void;
  onDone: () => void;
}

/** Acts on those of the chosen executions whose state allows it, and says beforehand how many are left alone. */
export function BulkActionDialog({ action, selection, filters, onClose, onDone }: BulkActionDialogProps) {
  const { t } = useTranslation();
  const [options, setOptions] = useState<BulkOptions>({});
  const [labels, setLabels] = useState<Label[]>([{ key: '', value: '' }]);
  const target = bulkTarget(selection, filters, action);
  const count = useBulkCount(target);
  const leftAlone = target.kind === 'ids' ? target.leftAlone : selection.count - (count ?? selection.count);
  const acting = useBulk({
    title: t(`executionAction.${action}.bulkTitle`, { count: count ?? selection.count }),
    done: (number) => t(`executionAction.${action}.bulkDone`, { count: number }),
    onDone: () => {
      onClose();
      onDone();
    },
  });
  const filled = labels.filter(({ key }) => key !== '');
  const isReady =
    action === 'changeStatus'
      ? options.newStatus !== undefined
      : action !== 'setLabels' || (filled.length > 0 && !labels.some(isHalfFilled));
  return (
    <ActionDialog
      title={t(`executionAction.${action}.bulkTitle`, { count: count ?? selection.count })}
      confirm={t(`executionAction.${action}.name`)}
      dangerous={action === 'kill'}
      canConfirm={count !== undefined && count > 0 && isReady}
      isPending={acting.isPending}
      error={acting.error}
      failure={t(`executionAction.${action}.bulkFailed`)}
      onConfirm={() =>
        acting.mutate(() =>
          action === 'setLabels' ? setLabelsOfMany(target, filled) : actOnMany(action, target, options),
        )
      }
      onClose={onClose}
    >
      <p className={styles.text}>
        {count === 0
          ? t('executionAction.none')
          : t(`executionAction.${action}.bulkText`, { count: count ?? selection.count })}
      </p>
      {action === 'forceRun' && <ForceRunRules />}
      {action === 'replay' && (
        <Checkbox
          label={t('executionAction.replay.latest')}
          checked={options.latestRevision === true}
          onChange={(event) => setOptions({ latestRevision: event.currentTarget.checked })}
        />
      )}
      {action === 'changeStatus' && (
        <Radio.Group
          label={t('executionAction.changeStatus.new')}
          value={String(options.newStatus ?? '')}
          onChange={(newStatus) => setOptions({ newStatus })}
        >
          <div className={styles.choices}>
            {endStates.map((state) => (
              <Radio key={state} value={state} label={<StatePill state={state} still />} />
            ))}
          </div>
        </Radio.Group>
      )}
      {action === 'setLabels' && <LabelRows labels={labels} onChange={setLabels} />}
      {leftAlone > 0 && <p className={styles.none}>{t('executionAction.leftAlone', { count: leftAlone })}</p>}
    </ActionDialog>
  );
}
