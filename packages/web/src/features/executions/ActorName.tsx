import type { Actor, State } from '@millrace/contract';
import { IconClock, IconRobot, IconSitemap, IconUser, IconWebhook } from '@tabler/icons-react';
import { formatDateTime } from '../../format/date.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import styles from './ActorName.module.css';

const icons: Record<Actor['type'], typeof IconUser> = {
  user: IconUser,
  anonymous: IconUser,
  trigger: IconWebhook,
  schedule: IconClock,
  execution: IconSitemap,
  system: IconRobot,
};

/** Who or what caused a change. */
export function ActorName({ actor }: { actor: Actor }) {
  const { t } = useTranslation();
  const { type, id, via, token } = actor;
  const Icon = icons[type];
  const kind = t(`actor.${type}`);
  const describe = () => {
    if (token !== undefined) return t('actor.viaToken', { actor: id ?? kind, token });
    return via ? t(`actor.via.${via}`, { actor: id ?? kind }) : kind;
  };
  return (
    <Hint label={describe()}>
      <span className={styles.actor} data-type={type}>
        <Icon size={13} stroke={1.7} aria-label={kind} />
        {type === 'execution' ? id?.slice(0, 8) : (id ?? kind)}
        {token !== undefined && ` · ${token}`}
      </span>
    </Hint>
  );
}

/** Says of a state that a user gave it. */
export function ChangedBy({ state }: { state: State }) {
  const { t, i18n } = useTranslation();
  const change = state.histories.findLast(({ by }) => by);
  if (!change?.by) return null;
  const text = t('actor.changed', {
    state: t(`state.${change.state}`),
    date: formatDateTime(change.date, i18n.language),
  });
  return (
    <Hint label={text}>
      <span>
        <ActorName actor={change.by} />
      </span>
    </Hint>
  );
}
