import { Button } from '@mantine/core';
import { IconCheck, IconExternalLink, IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { links } from '../../../shell/links.ts';
import styles from './Demo.module.css';
import { type DemoName, DemoPicture } from './DemoPicture.tsx';

/** What a feature of the Enterprise Edition is for: title, picture, message. Fits a page and a tab. */
export function Demo({ name }: { name: DemoName }) {
  const { t } = useTranslation();
  return (
    <div className={styles.demo}>
      <div className={styles.words}>
        <span className={styles.badge}>
          <IconLock size={13} stroke={2} aria-hidden="true" />
          {t('enterprise.name')}
        </span>
        <h2>{t(`demo.${name}.title`)}</h2>
        <p>{t(`demo.${name}.text`)}</p>
        <ul>
          {(['one', 'two', 'three'] as const).map((point) => (
            <li key={point}>
              <IconCheck size={16} stroke={2} aria-hidden="true" />
              {t(`demo.${name}.${point}`)}
            </li>
          ))}
        </ul>
        <div className={styles.buttons}>
          <Button component="a" href={links.demo} target="_blank" rel="noopener noreferrer">
            {t('enterprise.contact')}
          </Button>
          <Button
            component="a"
            variant="default"
            href={links.chat}
            target="_blank"
            rel="noopener noreferrer"
            rightSection={<IconExternalLink size={14} stroke={1.8} />}
          >
            {t('enterprise.learn')}
          </Button>
        </div>
      </div>
      <DemoPicture name={name} label={t(`demo.${name}.picture`)} />
    </div>
  );
}
