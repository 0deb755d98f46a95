import type { InstanceHealth, InstanceRetention } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDuration } from '../../format/duration.ts';
import { formatBytes, formatNumber } from '../../format/number.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BrokenPart, Card, DateAgo, DateTime, Fact, Facts, Loading } from '../../ui/index.ts';
import styles from './instance.module.css';
import { healthQuery, retentionQuery } from './queries.ts';

/** Database, storage, disk and retention. */
export function HealthTab() {
  const health = useQuery(healthQuery());
  const retention = useQuery(retentionQuery());
  const { t } = useTranslation();
  if (!health.data)
    return health.error ? (
      <BrokenPart error={health.error} onRetry={() => void health.refetch()} />
    ) : (
      <Loading />
    );
  return (
    <div className={styles.cards}>
      <Database {...health.data.database} />
      <Storage {...health.data.storage} />
      <Disk
        title={t(health.data.otherDisks.length > 0 ? 'instance.health.disk' : 'instance.health.onlyDisk')}
        disk={health.data.disk}
        forecast={health.data.forecast}
      />
      {health.data.otherDisks.map(({ host, at, forecast, ...disk }) => (
        <Disk
          key={host}
          title={t('instance.health.diskOf', { host })}
          disk={disk}
          at={at}
          forecast={forecast}
        />
      ))}
      <Card title={t('instance.retention.title')}>
        {retention.data ? (
          <Retention {...retention.data} />
        ) : retention.error ? (
          <BrokenPart error={retention.error} onRetry={() => void retention.refetch()} />
        ) : (
          <Loading />
        )}
      </Card>
    </div>
  );
}

function Status({ status, error }: { status: 'UP' | 'DOWN'; error?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <span className={styles.state} data-state={status === 'UP' ? 'RUNNING' : 'LOST'}>
        {t(`instance.health.${status}`)}
      </span>
      {error && <p className={styles.problem}>{error}</p>}
    </>
  );
}

const ms = (value: number): string => formatDuration(Math.max(1, Math.round(value)));

function Database(database: InstanceHealth['database']) {
  const { t } = useTranslation();
  const { kind, version, migration, sizeBytes, walBytes, connections, latencyMs } = database;
  return (
    <Card title={t('instance.health.database')}>
      <Facts>
        <Fact name={t('instance.status')}>
          <Status status={database.status} error={database.error} />
        </Fact>
        <Fact name={t('instance.health.kind')}>
          {kind} {version}
        </Fact>
        {migration !== undefined && (
          <Fact name={t('instance.health.migration')}>{formatNumber(migration)}</Fact>
        )}
        {sizeBytes !== undefined && <Fact name={t('instance.health.size')}>{formatBytes(sizeBytes)}</Fact>}
        {walBytes !== undefined && <Fact name={t('instance.health.wal')}>{formatBytes(walBytes)}</Fact>}
        {connections && (
          <Fact name={t('instance.health.connections')}>
            {t('instance.health.of', {
              part: formatNumber(connections.used),
              total: formatNumber(connections.max),
            })}
          </Fact>
        )}
        {latencyMs !== undefined && <Fact name={t('instance.health.latency')}>{ms(latencyMs)}</Fact>}
      </Facts>
    </Card>
  );
}

function Storage({ status, type, writeMs, readMs, sizeBytes, isPartial, error }: InstanceHealth['storage']) {
  const { t } = useTranslation();
  return (
    <Card title={t('instance.health.storage')}>
      <Facts>
        <Fact name={t('instance.status')}>
          <Status status={status} error={error} />
        </Fact>
        <Fact name={t('instance.health.kind')}>{type}</Fact>
        {writeMs !== undefined && <Fact name={t('instance.health.write')}>{ms(writeMs)}</Fact>}
        {readMs !== undefined && <Fact name={t('instance.health.read')}>{ms(readMs)}</Fact>}
        {sizeBytes !== undefined && (
          <Fact name={t('instance.health.size')}>
            {isPartial
              ? t('instance.health.atLeast', { size: formatBytes(sizeBytes) })
              : formatBytes(sizeBytes)}
          </Fact>
        )}
      </Facts>
    </Card>
  );
}

interface DiskProps extends Pick<InstanceHealth, 'disk' | 'forecast'> {
  readonly title: string;
  /** When it was measured; absent for now. */
  readonly at?: string;
}

function Disk({ title, disk, at, forecast }: DiskProps) {
  const { t } = useTranslation();
  const { growthBytesPerDay, fullAt, samples } = forecast;
  return (
    <Card title={title}>
      <Facts>
        {disk && (
          <Fact name={t('instance.health.free')}>
            {t('instance.health.of', {
              part: formatBytes(disk.freeBytes),
              total: formatBytes(disk.totalBytes),
            })}
            <progress
              className={styles.meter}
              aria-label={t('instance.health.free')}
              max={disk.totalBytes}
              value={disk.totalBytes - disk.freeBytes}
            />
          </Fact>
        )}
        {at !== undefined && (
          <Fact name={t('instance.health.measured')}>
            <DateAgo value={at} />
          </Fact>
        )}
        {growthBytesPerDay !== undefined && (
          <Fact name={t('instance.health.growth')}>
            {growthBytesPerDay < 0 ? '−' : ''}
            {formatBytes(Math.abs(Math.round(growthBytesPerDay)))}
          </Fact>
        )}
        <Fact name={t('instance.health.full')}>
          {growthBytesPerDay === undefined ? (
            t('instance.health.noForecast')
          ) : fullAt === undefined ? (
            t('instance.health.noGrowth')
          ) : (
            <>
              <DateAgo value={fullAt} /> (<DateTime value={fullAt} />)
            </>
          )}
        </Fact>
      </Facts>
      {samples.length > 1 && <Trend samples={samples} label={t('instance.health.trend')} />}
    </Card>
  );
}

/** The used space over time, from its smallest to its largest value. */
function Trend({ samples, label }: { samples: InstanceHealth['forecast']['samples']; label: string }) {
  const [width, height] = [300, 48];
  const used = samples.map(({ usedBytes }) => usedBytes);
  const [least, most] = [Math.min(...used), Math.max(...used)];
  const points = used.map((bytes, index) => {
    const x = (index / (used.length - 1)) * width;
    const y = most === least ? height / 2 : height - ((bytes - least) / (most - least)) * (height - 4) - 2;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const title = `${label}: ${formatBytes(used[0] ?? 0)} – ${formatBytes(used.at(-1) ?? 0)}`;
  return (
    <svg
      className={styles.trend}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={title}
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}

function Retention({ enabled, rules, lastRun }: InstanceRetention) {
  const { t } = useTranslation();
  return (
    <>
      {!enabled && <p className={styles.problem}>{t('instance.retention.off')}</p>}
      <Facts>
        {rules.map(({ namespace, keepMs, expired }) => (
          <Fact
            key={namespace ?? ''}
            name={namespace ?? t(rules.length === 1 ? 'alerts.everywhere' : 'instance.retention.everywhere')}
          >
            {keepMs === undefined ? t('instance.retention.forever') : formatDuration(keepMs)}
            {expired > 0 && (
              <small className={styles.muted}>
                {' '}
                {t('instance.retention.expired', {
                  count: expired,
                  number: `${formatNumber(expired)}${expired >= 1_000 ? '+' : ''}`,
                })}
              </small>
            )}
          </Fact>
        ))}
        <Fact name={t('instance.retention.lastRun')}>
          {lastRun ? (
            <>
              <DateAgo value={lastRun.at} />{' '}
              <small className={styles.muted}>
                {t('instance.retention.removed', {
                  executions: formatNumber(lastRun.executions),
                  logs: formatNumber(lastRun.logs),
                })}
              </small>
            </>
          ) : (
            t('instance.retention.never')
          )}
        </Fact>
      </Facts>
    </>
  );
}
