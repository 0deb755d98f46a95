import { Alert, Button, Drawer, Select } from '@mantine/core';
import { executionFiles } from '@millrace/contract';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../../api/call.ts';
import { checkedDownload } from '../../../api/checkedDownload.ts';
import { useConfiguration } from '../../../shell/configuration.ts';
import { BrokenFile } from '../../../ui/BrokenFile.tsx';
import { Loading } from '../../../ui/index.ts';
import { FileContent } from './FileContent.tsx';
import styles from './files.module.css';
import { encodings, fileNameOf, previewQuery, rowChoices } from './storageFile.ts';

interface FilePreviewProps {
  executionId: string;
  uri: string;
  onClose: () => void;
}

/** The beginning of a file, as rows, a picture, pages or text. */
export function FilePreview({ executionId, uri, onClose }: FilePreviewProps) {
  const { t } = useTranslation();
  const { preview: limits } = useConfiguration();
  const [maxRows, setMaxRows] = useState(limits.initial);
  const [encoding, setEncoding] = useState<string>(encodings[0]);
  const { data, error, refetch } = useQuery(previewQuery(executionId, uri, { maxRows, encoding }));
  const isWhole = data?.type === 'IMAGE' || data?.type === 'PDF';
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={fileNameOf(uri)}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <div className={styles.controls}>
        <Select
          label={t('preview.rows')}
          size="xs"
          data={[...new Set([...rowChoices(limits.max), maxRows])].sort((a, b) => a - b).map(String)}
          value={String(maxRows)}
          allowDeselect={false}
          disabled={isWhole}
          onChange={(rows) => setMaxRows(Number(rows))}
        />
        <Select
          label={t('preview.encoding')}
          size="xs"
          data={encodings}
          value={encoding}
          allowDeselect={false}
          disabled={isWhole}
          onChange={(next) => next && setEncoding(next)}
        />
        <Button
          component="a"
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} />}
          href={urlOf(executionFiles.downloadExecutionFile, {
            params: { executionId },
            query: { path: uri },
          })}
          download={fileNameOf(uri)}
          onClick={checkedDownload}
        >
          {t('file.download')}
        </Button>
      </div>
      {data?.truncated && (
        <Alert variant="light" color="yellow" className={styles.cut ?? ''}>
          {isWhole ? t('preview.truncatedFile') : t('preview.truncated', { count: data.maxLine })}
        </Alert>
      )}
      {data && <FileContent preview={data} name={fileNameOf(uri)} />}
      {!data && (error ? <BrokenFile error={error} onRetry={() => void refetch()} /> : <Loading />)}
    </Drawer>
  );
}
