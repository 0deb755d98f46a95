import { Button } from '@mantine/core';
import { IconBook2, IconLifebuoy, IconPlus, IconRoute } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Logo } from '../../shell/Logo.tsx';
import { links } from '../../shell/links.ts';
import { LinkButton, Page } from '../../ui/index.ts';
import { isTourDone, startTour } from '../tour/index.ts';
import styles from './WelcomePage.module.css';

/** The first contact, while there is nothing to show yet. */
export function WelcomePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = async () => {
    await navigate({ to: '/{-$tenant}/flows/new', search: {} });
    if (!isTourDone()) startTour();
  };
  return (
    <Page
      title={t('welcome.title')}
      actions={
        <LinkButton to="/{-$tenant}/flows/new" search={{}} leftSection={<IconPlus size={16} />}>
          {t('flow.create')}
        </LinkButton>
      }
    >
      <div className={styles.welcome}>
        <Logo size={88} turning />
        <h2>{t('welcome.heading')}</h2>
        <p>{t('welcome.text')}</p>
        <Button size="md" leftSection={<IconPlus size={18} />} onClick={() => void create()}>
          {t('welcome.create')}
        </Button>
      </div>
      <div className={styles.cards}>
        <button type="button" className={styles.card} onClick={startTour}>
          <CardText icon={<IconRoute />} title={t('welcome.tour.title')} text={t('welcome.tour.text')} />
        </button>
        <Link to="/{-$tenant}/docs/$" params={{ _splat: 'get-started/tutorial' }} className={styles.card}>
          <CardText
            icon={<IconBook2 />}
            title={t('welcome.tutorial.title')}
            text={t('welcome.tutorial.text')}
          />
        </Link>
        <a className={styles.card} href={links.chat} target="_blank" rel="noopener noreferrer">
          <CardText icon={<IconLifebuoy />} title={t('welcome.help.title')} text={t('welcome.help.text')} />
        </a>
      </div>
    </Page>
  );
}

function CardText({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <strong>{title}</strong>
      <span className={styles.text}>{text}</span>
    </>
  );
}
