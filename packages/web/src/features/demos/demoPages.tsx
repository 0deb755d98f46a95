import { Button } from '@mantine/core';
import { IconCheck, IconExternalLink, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { links } from '../../shell/links.ts';
import { LinkButton, Page } from '../../ui/index.ts';
import demoClasses from './Demo.module.css';
import { type DemoName, DemoPicture } from './DemoPicture.tsx';
import styles from './demoPages.module.css';

/** Pages of the Enterprise Edition: each says what it would do, so that users do not search for it in vain. */
const demoPage = (name: Exclude<DemoName, 'auditLogs' | 'instance'>) =>
  function DemoPage() {
    const { t } = useTranslation();
    return (
      <Page title={t(`nav.${name}`)}>
        <Demo name={name} />
      </Page>
    );
  };

export function AuditLogsPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.auditLogs')}>
      <AuditLogsPlaceholder />
    </Page>
  );
}

/** What it promotes is part of this edition, on another page. */
export function InstanceDemoPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('nav.instance')}>
      <Demo
        name="instance"
        buttons={
          <LinkButton to="/{-$tenant}/admin/stats/{-$tab}" params={{ tab: 'servers' }}>
            {t('nav.stats')}
          </LinkButton>
        }
      />
    </Page>
  );
}

export const AppsPage = demoPage('apps');
export const IamPage = demoPage('iam');
export const TenantsPage = demoPage('tenants');

/** Where the trail of who did what would be: an empty list of its shape, and what fills it. */
function AuditLogsPlaceholder() {
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

/** What a feature of the Enterprise Edition is for: title, picture, message. Fits a page and a tab. */
function Demo({ name, buttons }: { name: DemoName; buttons?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={demoClasses.demo}>
      <div className={demoClasses.words}>
        {!buttons && (
          <span className={demoClasses.badge}>
            <IconLock size={13} stroke={2} aria-hidden="true" />
            {t('enterprise.name')}
          </span>
        )}
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
        <div className={demoClasses.buttons}>{buttons ?? <AskForIt />}</div>
      </div>
      <DemoPicture name={name} label={t(`demo.${name}.picture`)} />
    </div>
  );
}

function AskForIt() {
  const { t } = useTranslation();
  return (
    <>
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
    </>
  );
}
