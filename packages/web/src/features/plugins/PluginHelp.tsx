import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Loading } from '../../ui/index.ts';
import { PluginDocumentView } from './PluginDocumentView.tsx';
import styles from './plugins.module.css';
import { pluginDocumentQuery } from './queries.ts';

const pauseMs = 300;

/** What a type is for and what it takes, beside the text that uses it. */
export function PluginHelp({ type: written }: { type: string | undefined }) {
  // A type that is being typed is asked for once, when the typing pauses.
  const [type] = useDebouncedValue(written, pauseMs, { leading: true });
  const { t } = useTranslation();
  const { data, error } = useQuery({
    ...pluginDocumentQuery(type ?? '', undefined, 'handled'),
    enabled: type !== undefined,
    retry: false,
  });
  if (type === undefined) return <p className={styles.help}>{t('plugin.helpBegin')}</p>;
  if (error)
    return <p className={styles.help}>{type === '' ? error.message : t('plugin.helpUnknown', { type })}</p>;
  if (!data) return <Loading />;
  return (
    <div className={styles.help}>
      <PluginDocumentView cls={type} document={data} />
    </div>
  );
}
