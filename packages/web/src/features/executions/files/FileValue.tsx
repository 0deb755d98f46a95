import { ActionIcon } from '@mantine/core';
import { executionFiles } from '@millrace/contract';
import { IconDownload, IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { urlOf } from '../../../api/call.ts';
import { checkedDownload } from '../../../api/download.ts';
import { formatBytes } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import styles from './files.module.css';
import { fileNameOf, fileSizeQuery } from './storageFile.ts';

interface FileValueProps {
  executionId: string;
  uri: string;
}

/** A file among the values of an execution: how large it is, what is in it, and the way to keep it. */
export function FileValue({ executionId, uri }: FileValueProps) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}' });
  const { data } = useQuery(fileSizeQuery(executionId, uri));
  const name = fileNameOf(uri);
  const href = urlOf(executionFiles.downloadExecutionFile, { params: { executionId }, query: { path: uri } });
  const open = () => void navigate({ to: '.', search: (old) => ({ ...old, preview: uri }), replace: true });
  return (
    <span className={styles.file}>
      {data && <span className={styles.size}>{formatBytes(data.size)}</span>}
      <Hint label={t('preview.open')}>
        <ActionIcon size={22} aria-label={t('preview.openFile', { name })} onClick={open}>
          <IconEye size={15} stroke={1.7} />
        </ActionIcon>
      </Hint>
      <Hint label={t('file.download')}>
        <ActionIcon
          component="a"
          size={22}
          href={href}
          download={name}
          onClick={checkedDownload}
          aria-label={t('preview.downloadFile', { name })}
        >
          <IconDownload size={15} stroke={1.7} />
        </ActionIcon>
      </Hint>
    </span>
  );
}
