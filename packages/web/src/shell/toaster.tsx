import { Notifications, notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import i18next from 'i18next';
import { ApiError } from '../api/ApiError.ts';
import { Markdown } from '../ui/markdown/Markdown.tsx';
import { links } from './links.ts';
import styles from './toaster.module.css';

export const Toaster = () => <Notifications position="bottom-right" limit={5} containerWidth={420} />;

const autoCloseMs = 4_500;
const openErrors = new Set<string>();

/** A screen reader announces the button by this name. */
const namedClose = () => ({ 'aria-label': i18next.t('action.close') });

export function success(message: string): void {
  notifications.show({
    message,
    color: 'green',
    icon: <IconCheck size={16} />,
    autoClose: autoCloseMs,
    closeButtonProps: namedClose(),
  });
}

export function warning(message: string, title?: string): void {
  notifications.show({
    ...(title && { title }),
    message,
    color: 'yellow',
    icon: <IconAlertTriangle size={16} />,
    autoClose: autoCloseMs,
    closeButtonProps: namedClose(),
  });
}

export function error(problem: Error, title?: string): void {
  const id = `error-${problem.message}`;
  openErrors.add(id);
  notifications.show({
    id,
    title: title ?? titleOf(problem),
    message: <ErrorBody error={problem} />,
    color: 'red',
    icon: <IconX size={16} />,
    autoClose: false,
    closeButtonProps: namedClose(),
    onClose: () => openErrors.delete(id),
  });
}

export function closeErrors(): void {
  for (const id of openErrors) notifications.hide(id);
  openErrors.clear();
}

/** "Invalid entity: tasks: …" is titled "Invalid entity"; a message without a colon is titled "Error". */
function titleOf(error: Error): string {
  const [reason, ...rest] = error.message.split(':');
  return rest.length > 0 && reason ? reason : i18next.t('error.title');
}

function ErrorBody({ error }: { error: Error }) {
  const details = error instanceof ApiError ? error.details : [];
  return (
    <>
      {details.length === 0 ? (
        <Markdown text={error.message} compact />
      ) : (
        <ul className={styles.details}>
          {details.map(({ path, message }) => (
            <li key={`${path}${message}`}>
              {path && <span className={styles.path}>{i18next.t('error.at', { path })} </span>}
              {message}
            </li>
          ))}
        </ul>
      )}
      <a className={styles.help} href={links.chat} target="_blank" rel="noopener noreferrer">
        {i18next.t('error.help')}
      </a>
    </>
  );
}
