import { useTranslation } from 'react-i18next';
import styles from './AuditLogsPlaceholder.module.css';
import { Demo } from './Demo.tsx';

/** Where the trail of who did what would be: an empty list of its shape, and what fills it. */
export function AuditLogsPlaceholder() {
  const { t } = useTranslation();
  const columns = ['date', 'who', 'what', 'where'] as const;
  return (
    <>
      <table className={styles.trail} aria-label={t('demo.auditLogs.trail')}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{t(`demo.auditLogs.column.${column}`)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <td colSpan={columns.length}>{t('demo.auditLogs.empty')}</td>
          </tr>
        </tbody>
      </table>
      <Demo name="auditLogs" />
    </>
  );
}
