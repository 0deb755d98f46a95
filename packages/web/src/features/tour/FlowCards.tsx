import type { Flow } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import { Markdown } from '../../ui/markdown/Markdown.tsx';
import { PluginIcon } from '../topology/index.ts';
import styles from './Tour.module.css';
import { taskTypesOf } from './taskTypes.ts';
import { chooseFlow, useTour } from './tourState.ts';

/** One card a flow, of which one can be chosen. */
export function FlowCards({ flows }: { flows: readonly Flow[] }) {
  const { t } = useTranslation();
  const { flowId } = useTour();
  return (
    <div className={styles.cards} role="radiogroup" aria-label={t('tour.choose.title')}>
      {flows.map((flow) => (
        <label key={flow.id} className={styles.card} data-chosen={flow.id === flowId || undefined}>
          <input
            type="radio"
            name="tutorial-flow"
            className={styles.radio}
            checked={flow.id === flowId}
            onChange={() => chooseFlow(flow.id)}
            aria-label={flow.id}
          />
          <div className={styles.icons}>
            {taskTypesOf(flow).map((type) => (
              <span key={type} data-type={type}>
                <PluginIcon type={type} />
              </span>
            ))}
          </div>
          <div className={styles.description}>
            <Markdown text={flow.description ?? flow.id} compact />
          </div>
        </label>
      ))}
    </div>
  );
}
