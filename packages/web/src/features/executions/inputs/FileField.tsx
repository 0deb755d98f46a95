import { FileInput, type FileInputProps } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { formatBytes } from '../../../format/number.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import styles from './inputs.module.css';

interface FileFieldProps extends Omit<FileInputProps<false>, 'value' | 'onChange'> {
  file: File | undefined;
  onFile: (file: File | undefined) => void;
}

/** A file that is chosen, or dropped onto the field. */
export function FileField({ file, onFile, description, ...rest }: FileFieldProps) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const hold = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onFile(dropped);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a keyboard uses the button inside; dropping is an extra way.
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragEnter={hold}
      onDragOver={hold}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileInput
        {...rest}
        description={[description, file && formatBytes(file.size)].filter(Boolean).join(' · ') || undefined}
        placeholder={t('execute.dropFile')}
        clearable
        value={file ?? null}
        onChange={(next) => onFile(next ?? undefined)}
      />
    </div>
  );
}
