import { FlowLink } from '../../flows/index.ts';
import styles from './dashboard.module.css';

/** A flow in a row: its id, and its namespace as far as there is room. */
export const FlowOf = ({ namespace, flowId }: { namespace: string; flowId: string }) => (
  <span className={styles.flow}>
    <FlowLink namespace={namespace} id={flowId} />
    <span className={styles.namespace} title={namespace}>
      {namespace}
    </span>
  </span>
);
