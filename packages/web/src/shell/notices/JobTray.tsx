import { CloseButton, Progress } from '@mantine/core';
import { BulkResponse, type Job, jobs } from '@millrace/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../../api/ApiError.ts';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BulkProblems } from '../../ui/dialog/BulkProblems.tsx';
import styles from './JobTray.module.css';
import { type TrackedJob, untrackJob, useTrackedJobs } from './trackedJobs.ts';

const pollMs = 1_000;
/** The result of an action that succeeded leaves after this time; problems stay until they are closed. */
const shownForMs = 30_000;

/** The long actions under way and what came of those that ended. */
export function JobTray() {
  const tracked = useTrackedJobs();
  if (tracked.length === 0) return null;
  return (
    <div className={styles.tray}>
      {tracked.map((job) => (
        <JobCard key={job.id} tracked={job} />
      ))}
    </div>
  );
}

function JobCard({ tracked }: { tracked: TrackedJob }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: job, error } = useQuery({
    queryKey: ['job', tracked.id],
    queryFn: ({ signal }) =>
      call(jobs.getJob, { params: { jobId: tracked.id }, signal, failures: 'handled' }),
    // A server that is away for a while comes back; only it knows what became of the job.
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'RUNNING' ? false : pollMs),
    refetchIntervalInBackground: true,
    staleTime: 0,
  });
  const isGone = error instanceof ApiError && error.status === 404;
  const isRunning = !isGone && (job === undefined || job.state === 'RUNNING');
  const changes = tracked.changes.join();
  useEffect(() => {
    if (isRunning) return;
    for (const key of changes.split(',')) void client.invalidateQueries({ queryKey: [key] });
  }, [isRunning, changes, client]);
  const hasSucceeded = job?.state === 'ENDED' && (job.response?.status ?? 200) < 400;
  useEffect(() => {
    if (!hasSucceeded) return;
    const timer = setTimeout(() => untrackJob(tracked.id), shownForMs);
    return () => clearTimeout(timer);
  }, [hasSucceeded, tracked.id]);
  const percent = job?.total ? (job.done / job.total) * 100 : 0;
  return (
    <section className={styles.card} aria-label={tracked.title}>
      <header className={styles.head}>
        <strong>{tracked.title}</strong>
        {!isRunning && (
          <CloseButton size="sm" onClick={() => untrackJob(tracked.id)} aria-label={t('action.close')} />
        )}
      </header>
      {isRunning && <Progress value={percent} animated aria-label={tracked.title} />}
      <div role="status" className={styles.text}>
        {isGone ? t('job.unknown') : job ? <Outcome job={job} /> : t('job.counting')}
        {error && !isGone && <p>{t('job.unreachable')}</p>}
      </div>
    </section>
  );
}

function Outcome({ job }: { job: Job }) {
  const { t } = useTranslation();
  const { state, done, total = done, response } = job;
  if (state === 'RUNNING')
    return job.total === undefined ? t('job.counting') : t('job.running', { done, total });
  if (state === 'INTERRUPTED')
    return job.atLeast
      ? t('job.lost', { done, total })
      : t('job.interrupted', { done, total, rest: total - done });
  if (response && response.status >= 400)
    return <BulkProblems error={new ApiError({ method: '', url: '' }, response.status, response.body)} />;
  const count = BulkResponse.partial().safeParse(response?.body).data?.count ?? done;
  return t('job.ended', { affected: count, total: Math.max(total, count) });
}
