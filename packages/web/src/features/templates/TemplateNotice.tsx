import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './templates.module.css';

/** Templates still work, but subflows do the same and more. */
export function TemplateNotice() {
  const { t } = useTranslation();
  return <p className={styles.notice}>{t('template.deprecated')}</p>;
}
