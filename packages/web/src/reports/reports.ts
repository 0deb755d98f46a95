import { provider } from '@millrace/contract';
import { urlOf } from '../api/call.ts';

/** Usage reports of the web app. Nothing is sent unless the server's configuration allows it. */
export type ReportedEvent =
  | { readonly type: 'PAGE' }
  | { readonly type: 'ONBOARDING'; readonly onboarding: OnboardingStep }
  | { readonly type: 'ERROR'; readonly error: ReportedError };

export interface OnboardingStep {
  readonly step: number;
  readonly action: 'next' | 'previous' | 'skip' | 'finish' | 'executed' | 'explore';
  /** The tutorial flow that was chosen, once there is one. */
  readonly template: string | undefined;
}

export interface ReportedError {
  readonly message: string;
  readonly errors: readonly { message: string; path?: string | undefined }[];
  readonly response?: { readonly status: number };
  readonly request?: { readonly url: string; readonly method: string };
}

/** Which installation and which browser an event comes from; neither says who its user is. */
export interface ReportSource {
  readonly iid: string;
  readonly uid: string;
}

let source: ReportSource | undefined;
let counter = 0;

/** From here on events are sent; the returned function ends that. */
export function startReports(from: ReportSource): () => void {
  source = from;
  counter = 0;
  return () => {
    source = undefined;
  };
}

export function report(event: ReportedEvent): void {
  if (!source) return;
  counter += 1;
  const body = { ...event, ...source, page: currentPage(), date: new Date().toISOString(), counter };
  // Beside the product's calls: a lost report shows no error and moves no progress bar.
  void fetch(urlOf(provider.reportEvent, {}), {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    body: JSON.stringify(body),
    keepalive: true,
  }).catch(() => {});
}

const currentPage = () => ({ origin: location.origin, path: location.pathname });
