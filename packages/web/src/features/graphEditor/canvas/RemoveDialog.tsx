import { Button, Radio } from '@mantine/core';
import { placedChildren, placedTasks } from '@millrace/engine';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { usersOf } from '../../forms/schema/index.ts';
import { readFlowText, standingOf } from '../edits/flowText.ts';
import { removeElement, removeElements, unwrapElement } from '../edits/graphEdits.ts';
import type { Part } from '../edits/slot.ts';
import styles from './GraphLayer.module.css';

interface RemoveDialogProps {
  readonly source: string;
  readonly part: Part;
  onRemove(text: string | undefined): void;
  onClose(): void;
}

/** Each moved task needs a reading of the text; more of them would take too long. */
const MAX_KEPT = 60;

type Choice = 'all' | 'keep' | 'users';

/** Says what a removal touches and lets the user choose what happens to it. */
export function RemoveDialog({ source, part, onRemove, onClose }: RemoveDialogProps) {
  const { t } = useTranslation();
  const [choice, setChoice] = useState<Choice>('all');
  const removal = removalOf(source, part);
  if (!removal) return null;
  const { children, kept, by, users } = removal;
  const canKeep = kept.length > 0 && kept.length <= MAX_KEPT;
  const remove = () => {
    if (choice === 'keep') return onRemove(unwrapElement(source, part.id, kept));
    if (choice === 'users') return onRemove(removeElements(source, [part, ...users]));
    return onRemove(removeElement(source, part));
  };
  return (
    <Dialog onClose={onClose} title={t('graphEditor.removeTitle', { id: part.id })}>
      {children.length > 0 && (
        <p className={styles.fact}>{t('graphEditor.contains', { count: children.length })}</p>
      )}
      {by.length > 0 && <p className={styles.fact}>{t('graphEditor.usedBy', { by: by.join(', ') })}</p>}
      <Radio.Group
        value={choice}
        onChange={(value) => setChoice(value as Choice)}
        aria-label={t('graphEditor.removeHow')}
      >
        <div className={styles.choices}>
          <Radio
            value="all"
            label={children.length > 0 ? t('graphEditor.removeAll') : t('graphEditor.removeOnly')}
            description={by.length > 0 ? t('graphEditor.removeOnlyText') : undefined}
          />
          {canKeep && (
            <Radio
              value="keep"
              label={t('graphEditor.removeKeep')}
              description={t('graphEditor.removeKeepText')}
            />
          )}
          {users.length > 0 && (
            <Radio
              value="users"
              label={t('graphEditor.removeUsers')}
              description={users.map(({ id }) => id).join(', ')}
            />
          )}
        </div>
      </Radio.Group>
      <div className={styles.foot}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button color="red" onClick={remove} data-autofocus>
          {t('action.delete')}
        </Button>
      </div>
    </Dialog>
  );
}

/** What the removal of an element would touch. */
interface Removal {
  /** The tasks inside it, at any depth. */
  readonly children: readonly string[];
  /** The tasks directly inside it that would take its place. */
  readonly kept: readonly string[];
  /** The parts of the flow that read its outputs, or those of a task inside it. */
  readonly by: readonly string[];
  /** Those of them that are tasks and can be removed too. */
  readonly users: readonly Part[];
}

export function removalOf(source: string, part: Part): Removal | undefined {
  const text = readFlowText(source);
  const path = text?.pathOf(part);
  if (!text || !path) return undefined;
  const tasks = placedTasks(text.flow);
  const own = tasks.find(({ task, path: place }) => part.kind === 'task' && task.id === part.id && place);
  const isInside = (place: readonly (string | number)[]) =>
    place.length > path.length && path.every((step, at) => step === place[at]);
  const children = tasks.filter(({ path: place }) => isInside(place)).map(({ task }) => task.id);
  const { list, index } = standingOf(path);
  const { by } = usersOf(text.data, [...list, index]);
  return {
    children,
    kept: own ? placedChildren(own.task).flatMap((branch) => branch.children.map(({ task }) => task.id)) : [],
    by,
    users: by
      .map((id) => ({ kind: 'task', id }) as const)
      .filter((user) => text.pathOf(user) !== undefined && user.id !== part.id),
  };
}
