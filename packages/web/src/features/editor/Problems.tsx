import { UnstyledButton } from '@mantine/core';
import type { Issue } from '@millrace/contract';
import {
  IconAlertTriangle,
  IconChevronDown,
  IconChevronUp,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react';
import { memo, useId, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { ServerIssues } from './issues.ts';
import styles from './Problems.module.css';

interface ProblemsProps {
  readonly issues: readonly Issue[];
  readonly server: ServerIssues['status'];
  onJump(line: number): void;
}

const icons = {
  error: IconCircleX,
  warning: IconAlertTriangle,
  deprecation: IconAlertTriangle,
  info: IconInfoCircle,
};

/** The problems of the text: always one line, on demand all of them. */
export const Problems = memo(function Problems({ issues, server, onJump }: ProblemsProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const [first] = issues;
  const count = (...severities: Issue['severity'][]) =>
    issues.filter((issue) => severities.includes(issue.severity)).length;
  const counts = [
    { severity: 'error', text: t('editor.errors', { count: count('error') }), count: count('error') },
    {
      severity: 'warning',
      text: t('editor.warnings', { count: count('warning', 'deprecation') }),
      count: count('warning', 'deprecation'),
    },
    { severity: 'info', text: t('editor.infos', { count: count('info') }), count: count('info') },
  ] as const;
  const Toggle = isOpen ? IconChevronDown : IconChevronUp;

  return (
    <section className={styles.problems} aria-label={t('editor.problems')}>
      <div className={styles.bar}>
        {first ? (
          <UnstyledButton
            className={styles.counts ?? ''}
            aria-expanded={isOpen}
            aria-controls={listId}
            onClick={() => setOpen(!isOpen)}
          >
            <Toggle size={14} aria-hidden />
            {counts
              .filter((entry) => entry.count > 0)
              .map(({ severity, text }) => (
                <Count key={severity} severity={severity} text={text} />
              ))}
          </UnstyledButton>
        ) : (
          <span className={styles.fine}>
            <IconCircleCheck size={15} aria-hidden />
            {t('editor.noProblems')}
          </span>
        )}
        {first && !isOpen && <Problem issue={first} onJump={onJump} />}
        <span className={styles.server} role="status">
          {server === 'checking' && t('editor.checking')}
          {server === 'silent' && t('editor.serverSilent')}
        </span>
      </div>
      {isOpen && (
        <ul className={styles.list} id={listId}>
          {issues.map((issue) => (
            <li key={`${issue.severity} ${issue.path} ${issue.range?.start.line ?? ''} ${issue.message}`}>
              <Problem issue={issue} onJump={onJump} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
});

function Count({ severity, text }: { severity: Issue['severity']; text: string }) {
  const Icon = icons[severity];
  return (
    <span className={styles.count} data-severity={severity}>
      <Icon size={15} aria-hidden />
      {text}
    </span>
  );
}

function Problem({ issue, onJump }: { issue: Issue; onJump(line: number): void }) {
  const { t } = useTranslation();
  const Icon = icons[issue.severity];
  const line = issue.range?.start.line;
  return (
    <UnstyledButton
      className={styles.problem ?? ''}
      data-severity={issue.severity}
      disabled={line === undefined}
      title={issue.message}
      onClick={() => line !== undefined && onJump(line)}
    >
      <Icon size={14} aria-label={t(`editor.severity.${issue.severity}`)} />
      <span className={styles.message}>
        {issue.path !== '' && <code className={styles.path}>{issue.path}</code>}
        {issue.message}
      </span>
      {line !== undefined && <span className={styles.line}>{t('editor.line', { line })}</span>}
    </UnstyledButton>
  );
}
