import { Radio } from '@mantine/core';
import type { Execution, StateType } from '@millrace/contract';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { ActionDialog } from '../../../ui/dialog/ActionDialog.tsx';
import styles from '../../../ui/dialog/DialogForm.module.css';
import { StatePill } from '../../../ui/index.ts';
import { useExecutionMutation } from './executionActions.ts';

interface ChangeStateDialogProps<Choice extends StateType> {
  title: string;
  text: string;
  execution: Execution;
  current: StateType;
  choices: readonly Choice[];
  /** What happens to the flow when this state is chosen. */
  hintOf?: (state: Choice) => string;
  change: (state: Choice) => Promise<Execution>;
  onClose: () => void;
}

/** Offers states and says, before the choice, what each of them brings. */
export function ChangeStateDialog<Choice extends StateType>(props: ChangeStateDialogProps<Choice>) {
  const { t } = useTranslation();
  const { title, text, execution, current, choices, hintOf, change, onClose } = props;
  const [chosen, setChosen] = useState<Choice>();
  const act = useExecutionMutation({
    execution,
    done: t('executionAction.changeStatus.done'),
    onDone: onClose,
  });
  return (
    <ActionDialog
      title={title}
      confirm={t('executionAction.changeStatus.confirm')}
      canConfirm={chosen !== undefined}
      isPending={act.isPending}
      error={act.error}
      onConfirm={() => chosen && act.mutate(() => change(chosen))}
      onClose={onClose}
    >
      <p className={styles.text}>{text}</p>
      <div className={styles.current}>
        {t('executionAction.changeStatus.current')} <StatePill state={current} still />
      </div>
      <Radio.Group
        label={t('executionAction.changeStatus.new')}
        value={chosen ?? ''}
        onChange={(value) => setChosen(choices.find((choice) => choice === value))}
      >
        <div className={styles.choices}>
          {choices.map((state) => (
            <Radio
              key={state}
              value={state}
              label={<StatePill state={state} still />}
              {...(hintOf && { description: hintOf(state) })}
            />
          ))}
        </div>
      </Radio.Group>
    </ActionDialog>
  );
}
