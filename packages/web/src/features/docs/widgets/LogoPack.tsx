import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useDocPlace } from '../DocContext.tsx';
import { resourceUrl } from './resource.ts';
import styles from './widgets.module.css';

const logos = ['mark', 'mark-dark', 'wordmark', 'wordmark-dark'] as const;

/** The files of the logo, to look at and to take along. */
export function LogoPack() {
  const { t } = useTranslation();
  const { version } = useDocPlace();
  return (
    <div className={styles.logos}>
      {logos.map((name) => (
        <figure key={name} className={styles.logo} data-dark={name.endsWith('-dark') || undefined}>
          <img src={resourceUrl(version, `${name}.svg`)} alt={t(`docs.logo.${name}`)} />
        </figure>
      ))}
      <Button
        component="a"
        href={resourceUrl(version, 'millrace-logos.zip')}
        download="millrace-logos.zip"
        leftSection={<IconDownload size={16} stroke={1.8} />}
      >
        {t('docs.logo.download')}
      </Button>
    </div>
  );
}
