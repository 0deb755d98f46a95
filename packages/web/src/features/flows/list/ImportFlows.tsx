import { flowTransfer } from '@millrace/contract';
import { Suspense, useState } from 'react';
import { call } from '../../../api/call.ts';
import { ImportButton } from '../../../ui/ImportButton.tsx';
import { lazyPart, Nothing } from '../../../ui/lazyPart.tsx';

const ImportDialog = lazyPart(() => import('./ImportDialog.tsx'), 'ImportDialog', Nothing);

interface Chosen {
  readonly upload: FormData;
  readonly previews: readonly flowTransfer.ImportPreview[];
}

/** Takes a file with flows, shows what importing it would change, and imports it. */
export function ImportFlows() {
  const [chosen, setChosen] = useState<Chosen>();
  return (
    <>
      <ImportButton
        onImport={async (upload) => {
          const previews = await call(flowTransfer.previewImport, { body: upload, failures: 'handled' });
          setChosen({ upload, previews });
        }}
      />
      {chosen && (
        <Suspense>
          <ImportDialog {...chosen} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  );
}
