import { sessions } from '@millrace/contract';
import type { MouseEvent } from 'react';
import { call } from './call.ts';

/**
 * For the click on a link to a file: the session is made sure of first, and renewed if need be. Without one the browser
 * would ask for a password by itself. The browser still fetches the file, so that a large one goes straight to the disk.
 */
export function checkedDownload(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  const { href, download } = event.currentTarget;
  call(sessions.getSession, {}).then(
    () => {
      const link = document.createElement('a');
      link.href = href;
      link.download = download;
      link.click();
    },
    () => {}, // The call has said it, or led to the login page.
  );
}
