import type { blueprints } from '@millrace/contract';
import { Link } from '@tanstack/react-router';
import { plainText } from '../../../ui/markdown/plainText.ts';
import { PluginIcon } from '../../topology/index.ts';
import { tagWords } from '../tagWords.ts';
import styles from './blueprints.module.css';
import { UseBlueprint } from './UseBlueprint.tsx';

const shownIcons = 6;

interface BlueprintCardProps {
  blueprint: blueprints.BlueprintItem;
  kind: string;
}

export function BlueprintCard({ blueprint, kind }: BlueprintCardProps) {
  const { id, title, description, tags, includedTasks } = blueprint;
  return (
    <article className={styles.card}>
      <div className={styles.icons}>
        {includedTasks.slice(0, shownIcons).map((type) => (
          <span key={type} title={type}>
            <PluginIcon type={type} size={20} />
          </span>
        ))}
      </div>
      <h2>
        <Link
          to="/{-$tenant}/blueprints/$kind/$tab/$blueprintId"
          params={{ kind, tab: 'community', blueprintId: id }}
        >
          {title}
        </Link>
      </h2>
      {description && <p className={styles.about}>{plainText(description.split('\n', 1)[0] ?? '')}</p>}
      <div className={styles.foot}>
        <p className={styles.words}>{tags.map(tagWords).join(' · ')}</p>
        <UseBlueprint id={id} kind={kind} isQuiet />
      </div>
    </article>
  );
}
