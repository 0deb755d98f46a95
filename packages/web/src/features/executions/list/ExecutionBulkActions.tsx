import { Checkbox, Radio, Switch } from '@mantine/core';
import { type Execution, type Label, terminalStates } from '@millrace/contract';
import { IconGitCompare } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { LinkButton, type Selection, StatePill } from '../../../ui/index.ts';
import { BulkButtons } from '../../../ui/list/BulkActions.tsx';
import { DeleteOptions, everyPart, ForceRunRules } from '../actions/DeleteOptions.tsx';
import { actionIcons, allows, endStates, statesAllowing } from '../actions/executionActions.ts';
import { isHalfFilled, LabelRows } from '../execute/LabelRows.tsx';
import {
  actOnMany,
  type BulkAction,
  type BulkOptions,
  bulkTarget,
  setLabelsOfMany,
  useBulk,
  useBulkCount,
} from './useBulk.ts';

const visible = ['restart', 'replay', 'changeStatus', 'kill', 'delete'] as const satisfies BulkAction[];
const inMenu = ['setLabels', 'resume', 'pause', 'unqueue', 'forceRun'] as const satisfies BulkAction[];

interface ExecutionBulkActionsProps {
  selection: Selection<Execution>;
  filters: Readonly<Record<string, unknown>>;
  onDone: () => void;
}

/** The actions on what is selected; one that none of the selected rows allows is greyed out. */
export function ExecutionBulkActions({ selection, filters, onDone }: ExecutionBulkActionsProps) {
  const { t } = useTranslation();
  const [asked, ask] = useState<BulkAction>();
  const close = () => ask(undefined);
  // Of everything that matches only the server knows the states.
  const isPossible = (action: BulkAction) =>
    selection.kind === 'all' || selection.rows.some(({ state }) => allows(state.current, action));
  const buttonOf = (action: BulkAction) => ({
    action,
    name: t(`executionAction.${action}.name`),
    Icon: actionIcons[action],
    isPossible: isPossible(action),
  });
  return (
    <>
      {selection.kind === 'rows' && selection.rows.length === 2 && <CompareButton rows={selection.rows} />}
      <BulkButtons
        buttons={visible.map(buttonOf)}
        more={inMenu.map(buttonOf)}
        onChoose={({ action }) => ask(action)}
      />
      {asked === 'delete' && (
        <BulkDeleteDialog selection={selection} filters={filters} onClose={close} onDone={onDone} />
      )}
      {asked && asked !== 'delete' && (
        <BulkActionDialog
          action={asked}
          selection={selection}
          filters={filters}
          onClose={close}
          onDone={onDone}
        />
      )}
    </>
  );
}

/** Two selected executions can be compared: the older one on the left. */
function CompareButton({ rows }: { rows: readonly Execution[] }) {
  const { t } = useTranslation();
  const [left, right] = rows.toSorted(
    (a, b) => Date.parse(a.state.startDate) - Date.parse(b.state.startDate),
  );
  return (
    <LinkButton
      size="compact-sm"
      variant="default"
      leftSection={<IconGitCompare size={14} />}
      title={t('compare.open')}
      data-icon
      to="/{-$tenant}/executions/compare"
      search={{ left: left?.id, right: right?.id }}
    >
      {t('compare.open')}
    </LinkButton>
  );
}

interface BulkActionDialogProps {
  action: Exclude<BulkAction, 'delete'>;
  selection: Selection<Execution>;
  /** What the list shows, for an action on all of it. */
  filters: Readonly<Record<string, unknown>>;
  onClose: () => void;
  onDone: () => void;
}

/** Acts on those of the chosen executions whose state allows it, and says beforehand how many are left alone. */
function BulkActionDialog({ action, selection, filters, onClose, onDone }: BulkActionDialogProps) {
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

interface BulkDeleteDialogProps {
  selection: Selection<Execution>;
  filters: Readonly<Record<string, unknown>>;
  onClose: () => void;
  onDone: () => void;
}

/** Deletes many executions. Those that have not ended go only when that is asked for, after a warning. */
function BulkDeleteDialog({ selection, filters, onClose, onDone }: BulkDeleteDialogProps) {
  const { t } = useTranslation();
  const [parts, setParts] = useState(everyPart);
  const [includesLive, setIncludesLive] = useState(false);
  const ended = bulkTarget(selection, filters, 'delete', terminalStates);
  const target = includesLive ? bulkTarget(selection, filters, 'delete', statesAllowing('delete')) : ended;
  const endedCount = useBulkCount(ended);
  const count = useBulkCount(target);
  const hasLive = endedCount !== undefined && endedCount < selection.count;
  const deletion = useBulk({
    title: t('execution.delete', { count: count ?? selection.count }),
    done: (number) => t('execution.deleted', { count: number }),
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <ActionDialog
      title={t('execution.delete', { count: count ?? selection.count })}
      confirm={t('action.delete')}
      dangerous
      canConfirm={count !== undefined && count > 0}
      isPending={deletion.isPending}
      error={deletion.error}
      failure={t('execution.deleteFailed')}
      onConfirm={() =>
        deletion.mutate(() => actOnMany('delete', target, { ...parts, includeNonTerminated: includesLive }))
      }
      onClose={onClose}
    >
      <p className={styles.text}>{t('execution.deleteText', { count: count ?? selection.count })}</p>
      {hasLive && (
        <Switch
          label={t('execution.includeLive')}
          checked={includesLive}
          onChange={(event) => setIncludesLive(event.currentTarget.checked)}
        />
      )}
      {includesLive && (
        <p className={styles.warning} role="alert">
          {t('execution.deleteLiveText', { count: count ?? selection.count })}
        </p>
      )}
      <DeleteOptions parts={parts} onChange={setParts} />
    </ActionDialog>
  );
}
