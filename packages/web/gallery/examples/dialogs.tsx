import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../src/ui/confirm/ConfirmDialog.tsx';
import { ActionDialog } from '../../src/ui/dialog/ActionDialog.tsx';
import { BulkProblems } from '../../src/ui/dialog/BulkProblems.tsx';
import { Dialog, SideDialog } from '../../src/ui/dialog/Dialog.tsx';
import { confirm } from '../../src/ui/index.ts';
import type { GalleryExample } from '../example.ts';
import styles from '../gallery.module.css';

const question = {
  title: 'Delete nightly?',
  body: 'This cannot be undone.',
  confirm: 'Delete',
  cancel: 'Keep it',
};
const nothing = () => {};

function Opens({ label, children }: { label: string; children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

export const dialogs: readonly GalleryExample[] = [
  {
    name: 'Dialog and SideDialog: the focus is in the field at once, and on the button again afterwards',
    show: () => (
      <div className={styles.row}>
        <Opens label="Dialog">
          {(close) => (
            <Dialog title="Name" onClose={close}>
              <TextInput aria-label="Name" data-autofocus />
            </Dialog>
          )}
        </Opens>
        <Opens label="SideDialog">
          {(close) => (
            <SideDialog title="Name" onClose={close}>
              <TextInput aria-label="Name" data-autofocus />
            </SideDialog>
          )}
        </Opens>
      </div>
    ),
  },
  {
    name: 'ConfirmDialog: asked by confirm(), usual, dangerous',
    show: () => (
      <div className={styles.row}>
        <Button variant="default" onClick={() => void confirm(question)}>
          confirm()
        </Button>
        <Opens label="Usual">{(close) => <ConfirmDialog question={question} onAnswer={close} />}</Opens>
        <Opens label="Dangerous">
          {(close) => <ConfirmDialog question={{ ...question, dangerous: true }} onAnswer={close} />}
        </Opens>
      </div>
    ),
  },
  {
    name: 'ActionDialog: usual, not ready, working, refused',
    show: () => (
      <div className={styles.row}>
        {[
          { label: 'Usual' },
          { label: 'Not ready', canConfirm: false },
          { label: 'Working', isPending: true },
          { label: 'Refused', error: new Error('The execution is running'), dangerous: true },
        ].map(({ label, ...state }) => (
          <Opens key={label} label={label}>
            {(close) => (
              <ActionDialog
                title="Set labels"
                confirm="Set"
                isPending={false}
                {...state}
                onConfirm={nothing}
                onClose={close}
              >
                <TextInput label="Key" />
              </ActionDialog>
            )}
          </Opens>
        ))}
      </div>
    ),
  },
  { name: 'BulkProblems', show: () => <BulkProblems error={new Error('Nothing was changed')} /> },
];
