import { IconFolder } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { NamespaceNode } from '../namespaceTree.ts';
import styles from './NamespaceTree.module.css';

interface NamespaceTreeProps {
  nodes: readonly NamespaceNode[];
  systemNamespace: string;
}

export function NamespaceTree({ nodes, systemNamespace }: NamespaceTreeProps) {
  const { t } = useTranslation();
  return (
    <ul className={styles.level}>
      {nodes.map(({ id, name, isUsed, children }) => (
        <li key={id}>
          <Link
            to="/{-$tenant}/namespaces/edit/$id/{-$tab}"
            params={{ id, tab: undefined }}
            search={{}}
            className={styles.row}
            data-used={isUsed || undefined}
            title={id}
          >
            <IconFolder size={16} stroke={1.6} aria-hidden="true" />
            <span className={styles.name}>{name}</span>
            {id === systemNamespace && <span className={styles.tag}>{t('namespace.system')}</span>}
          </Link>
          {children.length > 0 && <NamespaceTree nodes={children} systemNamespace={systemNamespace} />}
        </li>
      ))}
    </ul>
  );
}
