import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconPlus } from '@tabler/icons-react';
import { Panel } from '@xyflow/react';
import { memo } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import type { FlowBranch, Slot } from '../edits/slot.ts';
import styles from './GraphLayer.module.css';

interface GraphBarProps {
  onAdd(slot: Slot): void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  onUndo(): void;
  onRedo(): void;
  /** The task that waits for its new place. */
  readonly moving: string | undefined;
  onCancelMove(): void;
}

const branches: readonly FlowBranch[] = ['tasks', 'triggers', 'errors', 'finally', 'afterExecution'];

/** The lists of the flow itself, and the steps back and forward that all views of the flow share. */
export const GraphBar = memo(function GraphBar(props: GraphBarProps) {
  const { onAdd, canUndo, canRedo, onUndo, onRedo, moving, onCancelMove } = props;
  const { t } = useTranslation();
  if (moving !== undefined)
    return (
      <Panel position="top-left" className={styles.bar ?? ''}>
        <span role="status">{t('graphEditor.chooseTarget', { id: moving })}</span>
        <Button size="compact-sm" variant="default" onClick={onCancelMove}>
          {t('action.cancel')}
        </Button>
      </Panel>
    );
  return (
    <Panel position="top-left" className={styles.bar ?? ''}>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} />}>
            {t('graphEditor.add')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown data-sheet>
          {branches.map((branch) => (
            <Menu.Item key={branch} onClick={() => onAdd({ at: 'flow', branch })}>
              {t(`graphEditor.addTo.${branch}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Hint label={t('noCode.undo')}>
        <ActionIcon size={26} aria-label={t('noCode.undo')} disabled={!canUndo} onClick={onUndo}>
          <IconArrowBackUp size={16} />
        </ActionIcon>
      </Hint>
      <Hint label={t('noCode.redo')}>
        <ActionIcon size={26} aria-label={t('noCode.redo')} disabled={!canRedo} onClick={onRedo}>
          <IconArrowForwardUp size={16} />
        </ActionIcon>
      </Hint>
    </Panel>
  );
});
