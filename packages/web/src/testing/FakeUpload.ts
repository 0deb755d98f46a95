/** A fake of XMLHttpRequest: reports progress twice, then responds. */
export class FakeUpload {
  readonly upload: { onprogress: (() => void) | null } = { onprogress: null };
  onload: (() => void) | null = null;
  onloadend: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onabort: (() => void) | null = null;
  readonly status = 200;
  readonly statusText = 'OK';
  readonly responseText = '{"id":"exec1"}';

  open(): void {}
  setRequestHeader(): void {}
  abort(): void {}
  getResponseHeader = (): string => 'application/json';

  send(): void {
    this.upload.onprogress?.();
    this.upload.onprogress?.();
    this.onload?.();
    this.onloadend?.();
  }
}
