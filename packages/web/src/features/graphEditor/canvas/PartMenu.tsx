import { Menu } from '@mantine/core';
import type { GraphNode, Task } from '@millrace/contract';
import { controlTypeOf, type Path } from '@millrace/engine';
import {
  IconArrowBarDown,
  IconArrowBarUp,
  IconArrowsMove,
  IconCopy,
  IconEdit,
  IconEye,
  IconEyeOff,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { usePlayTask } from '../../../state/playTask.ts';
import { KeyHint } from '../../../ui/index.ts';
import { freeName } from '../../forms/schema/index.ts';
import { isMap } from '../../forms/source/index.ts';
import { bodyOf } from '../edits/flowText.ts';
import type { Part, Slot } from '../edits/slot.ts';
import styles from './GraphLayer.module.css';

/** Where the menu of a node opens, in pixels of the graph's frame. */
export interface MenuPlace {
  readonly node: GraphNode;
  readonly part: Part;
  readonly x: number;
  readonly y: number;
}

interface PartMenuProps {
  readonly place: MenuPlace;
  readonly actions: PartActions;
  onClose(): void;
}

const icon = { size: 15, stroke: 1.7 } as const;

/** Everything that can be done with a task or trigger, with the keys that do the same. */
export function PartMenu({ place, actions, onClose }: PartMenuProps) {
  const { t } = useTranslation();
  const { node, part, x, y } = place;
  const player = usePlayTask();
  const isTask = part.kind === 'task';
  const isDisabled = (node.task ?? node.triggerDeclaration)?.disabled === true;
  const branches = node.task ? branchesOf(node.task) : [];
  return (
    <Menu opened onClose={onClose} position="bottom-start" width={250} returnFocus>
      <Menu.Target>
        <span className={styles.anchor} style={{ left: x, top: y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('graphEditor.menuOf', { id: part.id })} data-sheet>
        <Menu.Item
          leftSection={<IconEdit {...icon} />}
          rightSection={<KeyHint keys="Enter" />}
          onClick={() => actions.open(part)}
        >
          {t('graphEditor.edit')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowBarDown {...icon} />}
          rightSection={<KeyHint keys="A" />}
          onClick={() => actions.add({ at: 'after', part })}
        >
          {t('graphEditor.addAfter')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowBarUp {...icon} />}
          rightSection={<KeyHint keys="shift+A" />}
          onClick={() => actions.add({ at: 'before', part })}
        >
          {t('graphEditor.addBefore')}
        </Menu.Item>
        {branches.map(({ path, isNew }, index) => (
          <Menu.Item
            key={path.join('.')}
            leftSection={<IconPlus {...icon} />}
            {...(index === 0 && { rightSection: <KeyHint keys="I" /> })}
            onClick={() => actions.add({ at: 'inside', id: part.id, branch: path })}
          >
            {isNew ? t('graphEditor.addCase') : t('graphEditor.addInside', { branch: path.join('.') })}
          </Menu.Item>
        ))}
        {isTask && player && (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconPlayerPlay {...icon} />}
              onClick={() => player.play(part.id, 'task')}
            >
              {t('playground.executeTask')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconPlayerSkipForward {...icon} />}
              onClick={() => player.play(part.id, 'upTo')}
            >
              {t('playground.executeUpTo')}
            </Menu.Item>
          </>
        )}
        <Menu.Divider />
        {isTask && (
          <Menu.Item
            leftSection={<IconArrowsMove {...icon} />}
            rightSection={<KeyHint keys="M" />}
            onClick={() => actions.move(part)}
          >
            {t('graphEditor.move')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconCopy {...icon} />}
          rightSection={<KeyHint keys="mod+D" />}
          onClick={() => actions.duplicate(part)}
        >
          {t('form.duplicateOne')}
        </Menu.Item>
        <Menu.Item
          leftSection={isDisabled ? <IconEye {...icon} /> : <IconEyeOff {...icon} />}
          rightSection={<KeyHint keys="mod+/" />}
          onClick={() => actions.setDisabled(part, !isDisabled)}
        >
          {t(isDisabled ? 'graphEditor.enable' : 'graphEditor.disable')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash {...icon} />}
          rightSection={<KeyHint keys="Delete" />}
          onClick={() => actions.remove(part)}
        >
          {t('action.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** A list of a container that takes tasks. */
interface Branch {
  readonly path: Path;
  /** A case that is not there yet. */
  readonly isNew?: boolean;
}

/** Every list that a container has or can have. */
function branchesOf(task: Task): Branch[] {
  const body = bodyOf(task.type);
  if (!body) return [];
  const common: Branch[] = [{ path: ['errors'] }, { path: ['finally'] }];
  switch (controlTypeOf(task.type)) {
    case 'core.flow.If':
      return [{ path: ['then'] }, { path: ['else'] }, ...common];
    case 'core.flow.Switch': {
      const cases = Object.keys(isMap(task.cases) ? task.cases : {});
      const added = freeName('case_1', new Set(cases));
      return [
        ...cases.map((name) => ({ path: ['cases', name] })),
        { path: ['cases', added], isNew: true },
        { path: ['defaults'] },
        ...common,
      ];
    }
    default:
      return [{ path: body }, ...common];
  }
}

/** Everything that can be done with a task or trigger of the graph. */
export interface PartActions {
  /** Opens the form. */
  open(part: Part): void;
  /** Chooses a type and inserts a task of it. */
  add(slot: Slot): void;
  /** Lets the user choose a slot to move to. */
  move(part: Part): void;
  /** Moves one place up (-1) or down (1) in its list. */
  step(part: Part, step: -1 | 1): void;
  duplicate(part: Part): void;
  setDisabled(part: Part, isDisabled: boolean): void;
  /** Asks first when others use it or it contains tasks. */
  remove(part: Part): void;
  undo(): void;
  redo(): void;
}
