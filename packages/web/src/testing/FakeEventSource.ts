import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** A fake of the browser's EventSource; a test sends the frames. */
export class FakeEventSource {
  static opened: FakeEventSource[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((frame: { data: string; lastEventId: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  isClosed = false;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeEventSource.opened.push(this);
  }

  close(): void {
    this.isClosed = true;
  }

  send(id: 'start' | 'progress' | 'end', data: unknown): void {
    act(() => this.onmessage?.({ data: JSON.stringify(data), lastEventId: id }));
  }

  fail(): void {
    act(() => this.onerror?.());
  }
}

export function fakeEventSource(): typeof FakeEventSource {
  FakeEventSource.opened = [];
  vi.stubGlobal('EventSource', FakeEventSource);
  return FakeEventSource;
}
