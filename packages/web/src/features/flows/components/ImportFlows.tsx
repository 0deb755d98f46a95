import { flowTransfer } from '@millrace/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { showSuccess, showWarning } from '../../../shell/toasts.ts';
import { ImportButton } from '../../../ui/ImportButton.tsx';

/** Takes flows in, and names those that could not be taken in. */
export function ImportFlows() {
  const { t } = useTranslation();
  const client = useQueryClient();
  /** The server names a document of a file by its place, from zero, and a file of an archive by its name. */
  const nameOf = (refused: string) =>
    /^\d+$/.test(refused) ? t('flowAction.refusedDocument', { number: Number(refused) + 1 }) : refused;
  return (
    <ImportButton
      onImport={async (body) => {
        const refused = await call(flowTransfer.importFlows, { body, failures: 'handled' });
        if (refused.length === 0) showSuccess(t('flowAction.imported'));
        else showWarning(refused.map(nameOf).join(', '), t('flowAction.notImported'));
        await Promise.all(
          ['flows', 'namespaces'].map((key) => client.invalidateQueries({ queryKey: [key] })),
        );
      }}
    />
  );
}
