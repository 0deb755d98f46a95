/** The browser's older request, which sends files, over the faked `fetch`. */
export class FakeUploadRequest {
  readonly upload: { onprogress: (() => void) | null } = { onprogress: null };
  onload: (() => void) | null = null;
  onloadend: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onabort: (() => void) | null = null;
  status = 0;
  statusText = '';
  responseText = '';
  #method = '';
  #url = '';
  #type: string | null = null;

  open(method: string, url: string): void {
    this.#method = method;
    this.#url = url;
  }

  setRequestHeader(): void {}

  abort(): void {
    this.onabort?.();
  }

  getResponseHeader(): string | null {
    return this.#type;
  }

  send(body: FormData): void {
    void this.#send(body);
  }

  async #send(body: FormData): Promise<void> {
    try {
      const response = await fetch(this.#url, { method: this.#method, body });
      this.status = response.status;
      this.#type = response.headers.get('content-type');
      this.responseText = await response.text();
      this.onload?.();
    } catch {
      this.onerror?.();
    }
    this.onloadend?.();
  }
}
