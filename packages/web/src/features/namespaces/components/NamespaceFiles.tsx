import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useUnsavedGuard } from '../../../shell/useUnsavedGuard.ts';
import { useOpenFiles } from '../useOpenFiles.ts';
import { FilesView } from './FilesView.tsx';

/** The files of a namespace. The file on top is in the address. */
export function NamespaceFiles({ namespace }: { namespace: string }) {
  const { t } = useTranslation();
  const { file: active } = useSearch({ from: '/{-$tenant}/namespaces/edit/$id/{-$tab}' });
  const navigate = useNavigate({ from: '/{-$tenant}/namespaces/edit/$id/{-$tab}' });
  const files = useOpenFiles(namespace, {
    active,
    opensDrafts: true,
    onShow: (path) => void navigate({ search: (old) => ({ ...old, file: path }), params: true, to: '.' }),
  });
  useUnsavedGuard(() => files.isDirty, files.leave, { text: t('file.leave') });
  return <FilesView name="namespace-files" files={files} />;
}
